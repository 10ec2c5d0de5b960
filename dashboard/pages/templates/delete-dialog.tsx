import { useSnapshot } from 'valtio'
import { ConfirmDialog } from '../../../widgets/kit/confirm-dialog.tsx'
import { deleteQuestion } from '../../../widgets/lib/template-messages.ts'
import type { TemplatesStore } from './templates-store.ts'

/** Asks before a template is deleted (spec §2), and says what is lost. */
export function DeleteDialog({ store }: { store: TemplatesStore }) {
  const { asked, deletion } = useSnapshot(store.state)
  return (
    <ConfirmDialog
      title="Delete Confirmation"
      act="Delete"
      busy={deletion === 'deleting'}
      onAct={() => store.delete()}
      onClosed={() => store.askDelete(null)}
    >
      <p>{deleteQuestion}?</p>
      <p>
        <b>{asked?.name}</b>
        {asked?.kind === 'saved'
          ? ' will be removed, and sends with its key will fail. You can undo this right after.'
          : ' was not saved: your changes are lost.'}
      </p>
    </ConfirmDialog>
  )
}
