import { useSnapshot } from 'valtio'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { schedule } from '../send/launch-store.ts'
import { TimeDialog } from './time-dialog.tsx'

/** Asks when a message is to leave. */
export function LaterDialog({ store }: { store: ComposeStore }) {
  const t = useText()
  const { edited } = useSnapshot(store.state)
  return (
    <TimeDialog
      title={t('Send later')}
      act={t('Schedule')}
      back={t('Back to the message')}
      begin={edited?.time ?? null}
      onChosen={(time) => void schedule(store, time)}
      onClosed={() => store.set({ status: 'editing' })}
    >
      <p>{t('Until then you find it under Messages, Scheduled: there it can be changed, moved or cancelled.')}</p>
    </TimeDialog>
  )
}
