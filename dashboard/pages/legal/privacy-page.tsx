import { privacy } from '../../content/legal/privacy.ts'
import { Acceptance } from './acceptance.tsx'
import { LegalPage } from './legal-page.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /privacypage. */
export function PrivacyPage() {
  const t = useText()
  return (
    <LegalPage document={privacy} path="/privacypage">
      <Acceptance
        name="privacy"
        document={privacy}
        label={t('I have read the Privacy Policy and agree to it.')}
        act={t('Accept Policy')}
      />
    </LegalPage>
  )
}
