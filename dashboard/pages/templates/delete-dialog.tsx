import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/dialog.tsx'
import { deleteQuestion } from '../../../widgets/lib/template-messages.ts'
import type { TemplatesStore } from './templates-store.ts'

/** Asks before a template is deleted (spec §2), and says what is lost. */
export function DeleteDialog({ store }: { store: TemplatesStore }) {
  const { asked, deletion } = useSnapshot(store.state)
  return (
    <Dialog title="Delete Confirmation" onClosed={() => store.askDelete(null)}>
      {(close) => (
        <>
          <p>{deleteQuestion}?</p>
          <p>
            <b>{asked?.name}</b>
            {asked?.kind === 'saved'
              ? ' leaves the list, and sends that name its key fail. It can be brought back right after.'
              : ' was not saved yet: what you changed is lost.'}
          </p>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="danger"
              busy={deletion === 'deleting'}
              onClick={() => void store.delete().then((isGone) => isGone && close())}
            >
              Delete
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
