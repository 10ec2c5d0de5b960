import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { list as listIcon, plus, search as searchIcon } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { DeleteListDialog } from './delete-list-dialog.tsx'
import { ListDialog } from './list-dialog.tsx'
import { ListTable } from './list-table.tsx'
import { css } from './lists-page.css'
import { createListsStore, type ListsStore } from './lists-store.ts'

const sheet = createSheet(css)
/** From how many lists on a search is shown. */
const searchFromCount = 8

/** /dashboard/lists: the lists of contacts. */
export function ListsPage() {
  const t = useText()
  useSheet(sheet)
  const { session, notify } = useApp()
  const [store] = useState(() => createListsStore(session, notify))
  useEffect(() => {
    return store.start()
  }, [store])
  const { dialog } = useSnapshot(store.state)
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Lists')}>
          {t('A list groups contacts who want the same mails, such as a newsletter.')}
        </ScreenHeader>
        <Button kind="primary" icon={plus} onClick={() => store.open({ kind: 'edit', list: null })}>
          {t('New list')}
        </Button>
      </div>
      <section className="panel" aria-label={t('Lists')}>
        <Content store={store} />
      </section>
      {dialog?.kind === 'edit' && <ListDialog store={store} list={dialog.list} />}
      {dialog?.kind === 'delete' && <DeleteListDialog store={store} list={dialog.list} />}
    </>
  )
}

function Content({ store }: { store: ListsStore }): ReactNode {
  const t = useText()
  const { status, error, items, search, switching } = useSnapshot(store.state, { sync: true })
  if (items.length === 0) {
    if (status === 'loading') return <Bones />
    if (status === 'failed') {
      return (
        <ErrorState
          level={2}
          title={t('The lists could not be loaded')}
          text={error ?? ''}
          onRetry={() => void store.load()}
        />
      )
    }
    return (
      <EmptyState
        level={2}
        icon={listIcon}
        title={t('No lists yet')}
        text={t('A list holds the contacts who get the same mails, with the state of each: subscribed or not.')}
      >
        <Button kind="primary" onClick={() => store.open({ kind: 'edit', list: null })}>
          {t('Make a list')}
        </Button>
      </EmptyState>
    )
  }
  const wanted = search.trim().toLowerCase()
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <>
      {items.length >= searchFromCount && (
        <div className="list-tools" role="search">
          <input
            type="search"
            aria-label={t('Search lists')}
            placeholder={t('Part of a name')}
            autoComplete="off"
            value={search}
            onChange={(event) => store.search(event.currentTarget.value)}
          />
        </div>
      )}
      {found.length > 0 ? (
        <ListTable lists={found} switching={switching} store={store} />
      ) : (
        <EmptyState level={2} icon={searchIcon} title={t('Nothing found')} text={t('No list has this in its name.')}>
          <Button onClick={() => store.search('')}>{t('Clear filters')}</Button>
        </EmptyState>
      )}
    </>
  )
}

function Bones() {
  return (
    <Skeleton>
      {['46%', '58%', '40%', '52%'].map((width) => (
        <div className="skeleton-row" key={width}>
          <Bone width={width} />
          <Bone width="28%" />
        </div>
      ))}
    </Skeleton>
  )
}
