import { createGlobalTemplates, type GlobalTemplates } from './global-templates.ts'
import { createHostedSession } from '../hosted/hosted-session.ts'
import type { Session } from '../core/http.ts'

const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

/**
 * The global templates, one list for all screens of a session. `apiKey` is the page's read key; no hosted user is needed,
 * and a third-party page has none.
 */
export function globalTemplateList(session: Session, apiKey: string): GlobalTemplates {
  const known = session.shared.get('global-templates')
  if (known !== undefined) return known as GlobalTemplates
  const hosted = createHostedSession({ apiBase: session.apiBase, apiKey, storage: noStorage })
  const list = createGlobalTemplates(hosted, { random })
  session.shared.set('global-templates', list)
  return list
}

/** It spreads retries, so a few bits do. */
function random(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}
