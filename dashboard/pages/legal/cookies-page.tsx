import { cookies } from '../../content/legal/cookies.ts'
import { LegalPage } from './legal-page.tsx'

/** /cookiespage. */
export function CookiesPage() {
  return <LegalPage document={cookies} path="/cookiespage" />
}
