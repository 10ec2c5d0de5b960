import { terms } from '../../content/legal/terms.ts'
import { Acceptance } from './acceptance.tsx'
import { LegalPage } from './legal-page.tsx'

/** /termspage. */
export function TermsPage() {
  return (
    <LegalPage document={terms} path="/termspage">
      <Acceptance
        name="terms"
        document={terms}
        label="I have read the Terms and Conditions and agree to them."
        act="Accept Terms"
      />
    </LegalPage>
  )
}
