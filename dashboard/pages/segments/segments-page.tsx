import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/segments: the saved segments. */
export function SegmentsPage() {
  const t = useText()
  return <ScreenHeader title={t('Segments')} />
}
