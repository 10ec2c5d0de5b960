import { useSnapshot } from 'valtio'
import type { List } from '../../../contract/audience/list.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { ListsStore } from './lists-store.ts'

/** Asks before a list is deleted: its contacts stay. */
export function DeleteListDialog({ store, list }: { store: ListsStore; list: List }) {
  const t = useText()
  const { isDeleting } = useSnapshot(store.state)
  const { name, member_count: count } = list
  return (
    <ConfirmDialog
      title={t('Delete the list {name}?', { name })}
      act={t('Delete')}
      busy={isDeleting}
      onAct={() => store.delete()}
      onClosed={() => store.open(null)}
    >
      <p>
        {count === 0
          ? t('The list has no members.')
          : t('Its {count} member stays a contact.|Its {count} members stay contacts.', { count })}{' '}
        {t('Segment rules on this list then match no contact.')}
      </p>
    </ConfirmDialog>
  )
}
