import { terms } from '../../content/legal/terms.ts'
import { Acceptance } from './acceptance.tsx'
import { LegalPage } from './legal-page.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /termspage. */
export function TermsPage() {
  const t = useText()
  return (
    <LegalPage document={terms} path="/termspage">
      <Acceptance
        name="terms"
        document={terms}
        label={t('I have read the Terms and Conditions and agree to them.')}
        act={t('Accept Terms')}
      />
    </LegalPage>
  )
}
