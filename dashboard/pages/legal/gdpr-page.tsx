import { gdpr } from '../../content/legal/gdpr.ts'
import { LegalPage } from './legal-page.tsx'

/** /gdprpage. */
export function GdprPage() {
  return <LegalPage document={gdpr} path="/gdprpage" />
}
