import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/lists: the lists of contacts. */
export function ListsPage() {
  const t = useText()
  return <ScreenHeader title={t('Lists')} />
}
