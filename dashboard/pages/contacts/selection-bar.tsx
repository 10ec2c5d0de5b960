import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Contact } from '../../../contract/audience/contact.ts'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowRight, circleMinus, list as listIcon, pencil, send, trash, x } from '../../../widgets/kit/icon/icons.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import type { StartContact } from '../../../widgets/compose/compose-types.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ActionBar } from './action-bar.tsx'
import { audienceOf, isFiltered } from './contacts-filter.ts'
import type { ContactsStore } from './contacts-store.ts'
import { SetFieldDialog, ToListDialog } from './selection-dialogs.tsx'
import type { SelectionStore } from './selection-store.ts'

interface Props {
  store: ContactsStore
  selection: SelectionStore
  /** Asks for the name of a segment of all that match, and opens the composer with it. */
  onSaveSegment: () => void
}

/** What can be done with the selected contacts; after that, the progress of the action. Esc ends the selection. */
export function SelectionBar({ store, selection, onSaveSegment }: Props) {
  const t = useText()
  const { count, rowCount, filter, lists } = useSnapshot(store.state)
  const { emails, isAll, action } = useSnapshot(selection.state)
  const [dialog, setDialog] = useState<'none' | 'add' | 'move' | 'field' | 'delete'>('none')
  const list = lists.find(({ id }) => id === filter.list)
  const close = () => setDialog('none')
  const loadedCount = Object.keys(emails).length
  const selectedCount = isAll ? (count?.count ?? rowCount) : loadedCount
  const isShown = selectedCount > 0
  useEffect(() => {
    if (!isShown) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) selection.clear()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isShown, selection])
  const canSelectAll = !isAll && loadedCount >= rowCount && count !== null && count.count > loadedCount
  return (
    <>
      {!isShown && action && <ActionBar selection={selection} action={action} />}
      <div className={isShown ? 'selection-bar shown' : 'selection-bar'}>
        <span role="status">{isShown && t('{number} selected', { number: selectedCount })}</span>
        {isShown && (
          <>
            {canSelectAll && (
              <button type="button" className="selection-all" onClick={selection.selectAll}>
                {t('Select all {number} that match', { number: count.count })}
              </button>
            )}
            <button type="button" onClick={() => setDialog('add')}>
              <Icon of={listIcon} size={16} />
              {t('Add to list')}
            </button>
            {list && (
              <>
                <button type="button" onClick={() => setDialog('move')}>
                  <Icon of={arrowRight} size={16} />
                  {t('Move to list')}
                </button>
                <button type="button" onClick={() => void selection.removeFromList(list.id)}>
                  <Icon of={circleMinus} size={16} />
                  {t('Remove from {list}', { list: list.name })}
                </button>
              </>
            )}
            <button type="button" onClick={() => setDialog('field')}>
              <Icon of={pencil} size={16} />
              {t('Set field')}
            </button>
            <WriteButton store={store} selection={selection} onSaveSegment={onSaveSegment} />
            <button type="button" onClick={() => setDialog('delete')}>
              <Icon of={trash} size={16} />
              {t('Delete')}
            </button>
            <button type="button" aria-label={t('End the selection')} onClick={selection.clear}>
              <Icon of={x} size={16} />
            </button>
          </>
        )}
      </div>
      {(dialog === 'add' || (dialog === 'move' && list)) && (
        <ToListDialog
          store={store}
          selection={selection}
          from={dialog === 'move' ? list : undefined}
          number={selectedCount}
          onClosed={close}
        />
      )}
      {dialog === 'field' && (
        <SetFieldDialog store={store} selection={selection} number={selectedCount} onClosed={close} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('Delete {count} contact?|Delete {count} contacts?', { count: selectedCount })}
          act={t('Delete')}
          busy={false}
          onAct={() => {
            void selection.remove()
            return Promise.resolve(true)
          }}
          onClosed={close}
        >
          <p>{t('Their fields and memberships are deleted. This cannot be undone.')}</p>
          <p>{t('Suppressed addresses stay suppressed.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Opens the composer with the selected contacts; with all that match as a list or segment, which gets a name if it is none yet. */
function WriteButton({ store, selection, onSaveSegment }: Props) {
  const t = useText()
  const { go } = useApp()
  const { filter } = useSnapshot(store.state)
  const { emails, isAll } = useSnapshot(selection.state)
  const write = () => {
    const audience = audienceOf(filter)
    if (!isAll) {
      const contacts = store.rows().filter(({ id }) => emails[id] !== undefined)
      go('/dashboard/send_email', { state: { contacts: contacts.map(toRecipient) } })
    } else if (audience === null) onSaveSegment()
    else go(`/dashboard/send_email?${audience.kind}=${audience.id}`)
  }
  // All contacts of a workspace are no list or segment.
  if (isAll && !isFiltered(filter)) return null
  return (
    <button type="button" onClick={write}>
      <Icon of={send} size={16} />
      {t('Write to them')}
    </button>
  )
}

const toRecipient = ({ email, fields }: Contact): StartContact => ({
  email,
  context: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
})
