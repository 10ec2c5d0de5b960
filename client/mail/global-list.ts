import { createGlobalTemplates, type GlobalTemplates } from './global-templates.ts'
import { createHostedSession } from '../hosted/hosted-session.ts'
import type { Session } from '../core/http.ts'

const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

/**
 * The global templates, the same list for every screen of a session. `apiKey` is the read key that the page carries; no
 * hosted user is needed, and in a page of somebody else none is looked for.
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
