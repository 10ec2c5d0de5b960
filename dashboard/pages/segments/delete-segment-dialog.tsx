import { useSnapshot } from 'valtio'
import type { Segment } from '../../../contract/audience/segment.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { SegmentsStore } from './segments-store.ts'

/** Asks before a segment is deleted: its contacts stay. */
export function DeleteSegmentDialog({ store, segment }: { store: SegmentsStore; segment: Segment }) {
  const t = useText()
  const { isDeleting, problem } = useSnapshot(store.state)
  return (
    <ConfirmDialog
      title={t('Delete the segment {name}?', { name: segment.name })}
      act={t('Delete')}
      busy={isDeleting}
      onAct={() => store.delete()}
      onClosed={() => store.ask(null)}
    >
      {problem !== null && <Banner kind="error" title={problem} />}
      <p>{t('Its rules are lost. The contacts that it finds stay.')}</p>
    </ConfirmDialog>
  )
}
