import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/contacts/fields: the custom fields of contacts. */
export function FieldsPage() {
  const t = useText()
  return <ScreenHeader title={t('Fields')} />
}
