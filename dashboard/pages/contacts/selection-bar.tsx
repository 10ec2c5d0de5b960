import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { list as listIcon, trash, x } from '../../../widgets/kit/icon/icons.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { ActionBar } from './action-bar.tsx'
import type { ContactsStore } from './contacts-store.ts'
import type { SelectionStore } from './selection-store.ts'

/** What can be done with the selected contacts; after that, the progress of the action. Esc ends the selection. */
export function SelectionBar({ store, selection }: { store: ContactsStore; selection: SelectionStore }) {
  const t = useText()
  const { count, rowCount } = useSnapshot(store.state)
  const { emails, isAll, action } = useSnapshot(selection.state)
  const [dialog, setDialog] = useState<'none' | 'list' | 'delete'>('none')
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
            <button type="button" onClick={() => setDialog('list')}>
              <Icon of={listIcon} size={16} />
              {t('Add to list')}
            </button>
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
      {dialog === 'list' && (
        <AddToListDialog
          store={store}
          selection={selection}
          number={selectedCount}
          onClosed={() => setDialog('none')}
        />
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
          onClosed={() => setDialog('none')}
        >
          <p>{t('Their fields and memberships are deleted. This cannot be undone.')}</p>
          <p>{t('Suppressed addresses stay suppressed.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface AddToListProps {
  store: ContactsStore
  selection: SelectionStore
  number: number
  onClosed: () => void
}

function AddToListDialog({ store, selection, number, onClosed }: AddToListProps) {
  const t = useText()
  const { lists } = useSnapshot(store.state)
  const [id, setId] = useState(lists[0]?.id ?? '')
  return (
    <Dialog title={t('Add to list')} onClosed={onClosed}>
      {(close) => (
        <form
          className="contacts-form"
          onSubmit={(event) => {
            event.preventDefault()
            void selection.addToList(id)
            close()
          }}
        >
          {lists.length === 0 ? (
            <p>
              {t('There is no list yet.')} <a href="/dashboard/lists">{t('Create one')}</a>
            </p>
          ) : (
            <SelectField
              label={t('List')}
              hint={t('Who unsubscribed from the list stays unsubscribed.')}
              value={id}
              options={lists.map((one) => ({ value: one.id, text: one.name }))}
              onValue={setId}
            />
          )}
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" disabled={id === ''}>
              {t('Add {count} contact|Add {count} contacts', { count: number })}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
