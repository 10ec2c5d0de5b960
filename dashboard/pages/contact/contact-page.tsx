import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/contacts/{id}: a contact. */
export function ContactPage(_: { id: string }) {
  const t = useText()
  return <ScreenHeader title={t('Contact')} />
}
