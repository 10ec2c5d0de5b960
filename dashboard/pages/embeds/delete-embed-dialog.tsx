import { useState } from 'react'
import { errorText } from '../../../client/http.ts'
import type { Embed } from '../../../contract/embed.ts'
import { Banner } from '../../../widgets/kit/banner.tsx'
import { Button } from '../../../widgets/kit/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/dialog.tsx'
import type { EmbedStore } from './embed-store.ts'

/** Asks before an embed goes, and names what goes with it. */
export function DeleteEmbedDialog({
  embed,
  store,
  onClosed,
}: {
  embed: Embed
  store: EmbedStore
  onClosed: () => void
}) {
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null })
  const remove = () => {
    setState({ isBusy: true, error: null })
    store.remove().catch((error: unknown) => setState({ isBusy: false, error: errorText(error) }))
  }
  return (
    <Dialog title={`Delete “${embed.name}”?`} onClosed={onClosed}>
      {(close) => (
        <>
          {state.error !== null && <Banner kind="error" title={state.error} />}
          <p>
            Its pages stop working at once: every open session ends. What its sessions did is forgotten; the mails they
            sent stay.
          </p>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button kind="danger" busy={state.isBusy} onClick={remove}>
              Delete
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
