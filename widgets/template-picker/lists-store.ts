import { snapshot, subscribe } from 'valtio/vanilla'
import { globalTemplateList } from '../../client/mail/global-list.ts'
import type { Session } from '../../client/core/http.ts'
import { templateList } from '../../client/mail/template-list.ts'
import type { Template } from '../../contract/mail/template.ts'
import { createTemplateReader, type TemplateRecord, type TemplateSource } from '../lib/template-record.ts'

/** One source's templates. `items` is replaced whole, and never changed in place. */
export interface TemplateRows {
  status: 'loading' | 'ready' | 'failed'
  items: readonly TemplateRecord[]
  error: string | null
}

/** Follows the templates of a source. */
export interface FollowedTemplates {
  load(): Promise<void>
  stop(): void
}

/** State of lists of either kind. */
interface Shown {
  status: TemplateRows['status'] | 'idle'
  items: readonly (Template | { id: string; data?: unknown })[]
  error: string | null
}

/**
 * Reports each change of the session's list of a source. Plain objects replace proxies: thousands of them are searched with
 * every keystroke.
 */
export function followTemplates(
  session: Session,
  { source, hostedKey }: { source: TemplateSource; hostedKey: string },
  onRows: (rows: TemplateRows) => void,
): FollowedTemplates {
  const list = source === 'own' ? templateList(session) : globalTemplateList(session, hostedKey)
  const read = createTemplateReader(source)
  const tell = () => {
    const { status, items, error } = snapshot<Shown>(list.state)
    onRows({ status: status === 'idle' ? 'loading' : status, items: read(items), error })
  }
  const stop = subscribe(list.state, tell, true)
  tell()
  return { load: () => list.load(), stop }
}
