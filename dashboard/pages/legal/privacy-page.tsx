import { privacy } from '../../content/legal/privacy.ts'
import { Acceptance } from './acceptance.tsx'
import { LegalPage } from './legal-page.tsx'

/** /privacypage. */
export function PrivacyPage() {
  return (
    <LegalPage document={privacy} path="/privacypage">
      <Acceptance
        name="privacy"
        document={privacy}
        label="I have read the Privacy Policy and agree to it."
        act="Accept Policy"
      />
    </LegalPage>
  )
}
