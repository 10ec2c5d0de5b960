import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/segments/{id}: the rule of a segment; 'new' for one that is not saved. */
export function SegmentPage(_: { id: string }) {
  const t = useText()
  return <ScreenHeader title={t('Segment')} />
}
