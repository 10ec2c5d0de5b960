import { useState } from 'react'
import type { List } from '../../../contract/audience/list.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { pencil, trash } from '../../../widgets/kit/icon/icons.ts'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { ListsStore } from './lists-store.ts'

/** Rows that are shown at first, and with each press of the button below them. */
const shownStepCount = 100

/** The lists with their members, their growth and what can be done with each. */
export function ListTable({
  lists,
  switching,
  store,
}: {
  lists: readonly List[]
  switching: readonly string[]
  store: ListsStore
}) {
  const t = useText()
  const [shownCount, setShownCount] = useState(shownStepCount)
  const columns: Column<List>[] = [
    {
      label: t('Name'),
      cell: ({ name, description }) => (
        <>
          <b className="row-title" translate="no">
            {name}
          </b>
          {description !== '' && <span className="list-about">{description}</span>}
        </>
      ),
    },
    { label: t('Members'), cell: (list) => <Members {...list} /> },
    { label: t('Last 30 days'), cell: (list) => <Growth {...list} /> },
    {
      label: t('Visibility'),
      cell: (list) => (
        <VisibilitySwitch
          list={list}
          isBusy={switching.includes(list.id)}
          onChange={(isPublic) => void store.setPublic(list, isPublic)}
        />
      ),
    },
    {
      label: t('Actions'),
      align: 'end',
      cell: (list) => (
        <span className="row-actions">
          <Button
            kind="quiet"
            size="small"
            icon={pencil}
            aria-label={t('Rename {name}', { name: list.name })}
            onClick={() => store.open({ kind: 'edit', list })}
          >
            {t('Rename')}
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon={trash}
            aria-label={t('Delete {name}', { name: list.name })}
            onClick={() => store.open({ kind: 'delete', list })}
          >
            {t('Delete')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <>
      <Table label={t('Lists')} columns={columns} rows={lists.slice(0, shownCount)} rowKey={({ id }) => id} />
      {lists.length > shownCount && (
        <div className="list-more">
          <Button onClick={() => setShownCount(shownCount + shownStepCount)}>{t('Show more')}</Button>
        </div>
      )}
    </>
  )
}

function Members({ id, member_count: members, pending_count: pending, unsubscribed_count: unsubscribed }: List) {
  const t = useText()
  const others = [
    pending > 0 && t('{number} not confirmed', { number: pending }),
    unsubscribed > 0 && t('{number} unsubscribed', { number: unsubscribed }),
  ].filter((text) => text !== false)
  return (
    <span>
      <a href={`/dashboard/contacts?list=${id}&member=any`}>
        {t('{count} member|{count} members', { count: members })}
      </a>
      {others.length > 0 && <span className="list-about">{others.join(' · ')}</span>}
    </span>
  )
}

/** Growth with its sign: the direction is not shown by colour alone. */
function Growth({ growth_30_days: growth }: List) {
  const t = useText()
  if (growth === 0) return <span className="list-growth">{t('No change')}</span>
  const figure = new Intl.NumberFormat(t.lang, { signDisplay: 'exceptZero' }).format(growth)
  return <span className={growth > 0 ? 'list-growth up' : 'list-growth down'}>{figure}</span>
}

function VisibilitySwitch({
  list: { name, is_public: isPublic },
  isBusy,
  onChange,
}: {
  list: List
  isBusy: boolean
  onChange: (isPublic: boolean) => void
}) {
  const t = useText()
  return (
    <label className="list-switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={t('{name} is public', { name })}
        aria-busy={isBusy || undefined}
        checked={isPublic}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{isPublic ? t('Public') : t('Private')}</span>
    </label>
  )
}
