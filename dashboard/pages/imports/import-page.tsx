import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/imports/{id}: an import; 'new' where no file is chosen yet. */
export function ImportPage(_: { id: string }) {
  const t = useText()
  return <ScreenHeader title={t('Import')} />
}
