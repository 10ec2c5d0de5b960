import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/contacts: people of the workspace. */
export function ContactsPage() {
  const t = useText()
  return <ScreenHeader title={t('Contacts')} />
}
