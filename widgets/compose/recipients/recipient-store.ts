import { readLines } from '../../lib/recipients.ts'
import type { ComposeStore } from '../compose-types.ts'

/** Adds one typed entry; what holds several comes by the part for lists and files. */
export async function add(store: ComposeStore, from: string | File): Promise<void> {
  const entries = typeof from === 'string' && !/[\r\n]/.test(from.trim()) ? readLines([from], false) : null
  if (entries && entries.length < 2) store.write({ recipients: [...store.state.draft.recipients, ...entries] })
  else await (await import('../recipients-import/import-store.ts')).addSource(store, entries ?? from)
}
