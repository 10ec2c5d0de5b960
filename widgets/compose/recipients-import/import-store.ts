import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { ref } from 'valtio/vanilla'
import { nameIn } from '../../../contract/core/variable-names.ts'
import { message, type Message } from '../../lib/messages/message.ts'
import { readRecipients, TooManyRowsError, type ReadRecipients } from '../../lib/recipient-rows.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { isVariableName } from '../../lib/variable-name.ts'
import type { Draft, Source, SourceReport } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { sweep } from '../drafts/undo.ts'
import { problemOf, readText } from './read-file.ts'

/** Rows of a text or a file that stay recipients of one campaign. */
const rowsMaxCount = 50_000
/** Columns that a notice names. */
const columnsShownCount = 12

/** Adds the recipients of a text, of a file, or those that were read already, as one source with its report. */
export async function addSource(store: ComposeStore, from: string | File | readonly Recipient[]): Promise<void> {
  const name = from instanceof File ? from.name : ''
  if (from instanceof File) store.set({ report: plainReport('reading', message('Reading {name}…', { name })) })
  try {
    const read = typeof from === 'string' || from instanceof File ? await readWhole(from) : listOf(from)
    if (from instanceof File && read.recipients.length === 0)
      store.set({ report: plainReport('problem', message('{name} has no recipients. Choose another file.', { name })) })
    else commit(store, { kind: from instanceof File ? 'file' : 'paste', name }, read)
  } catch (error) {
    if (error instanceof TooManyRowsError && from instanceof File && store.openImport) {
      await store.openImport(from)
      store.set({ report: null })
    } else store.set({ report: plainReport('problem', problemOf(error, name)) })
  }
}

const listOf = (recipients: readonly Recipient[]): ReadRecipients => ({
  recipients: [...recipients],
  columns: [],
  emptyCount: 0,
})

async function readWhole(from: string | File): Promise<ReadRecipients> {
  if (typeof from === 'string') return readRecipients(from, { rowsMaxCount })
  const text = await readText(from)
  return readRecipients(text, { isFile: true, rowsMaxCount })
}

const plainReport = (status: SourceReport['status'], what: Message): SourceReport => ({
  id: '',
  what,
  status,
  emptyCount: 0,
  refused: [],
  removed: null,
})

function commit(store: ComposeStore, { kind, name }: Pick<Source, 'kind' | 'name'>, read: ReadRecipients): void {
  const { recipients, sources } = store.state.draft
  const { columns, emptyCount } = read
  const id = newIdempotencyKey()
  const added = read.recipients.map((entry) => ({ ...entry, from: id }))
  const known = new Set(recipients.map(({ key }) => key))
  const own = new Set(added.flatMap(({ key, problem }) => (problem === null ? [key] : [])))
  const refused = added.filter(({ problem }) => problem !== null)
  const counts = {
    count: own.size,
    added: [...own].filter((key) => !known.has(key)).length,
    refused: refused.length,
  }
  store.write({ recipients: [...recipients, ...added], sources: ref([...sources, { id, kind, name, columns }]) })
  const report = { id, what: outcomeOf(counts, columns), status: 'added' as const, emptyCount, refused, removed: null }
  store.set({ report, mapped: columns.length > 0 ? id : '' })
}

/** How many were added, how many not, and with which columns. */
function outcomeOf(
  { count, added, refused }: { count: number; added: number; refused: number },
  columns: Source['columns'],
): Message {
  const names = columns.map(({ heading, name }) => heading || name)
  const shown = names.slice(0, columnsShownCount).join(', ') + (names.length > columnsShownCount ? ' …' : '')
  if (refused > 0 && shown !== '')
    return message('{added} added, {refused} not understood, columns: {columns}', { added, refused, columns: shown })
  if (refused > 0) return message('{added} added, {refused} not understood', { added, refused })
  if (shown !== '')
    return message('{count} recipient, columns: {columns}|{count} recipients, columns: {columns}', {
      count,
      columns: shown,
    })
  return message('{count} recipients added', { count: added })
}

const without = ({ recipients, sources }: Pick<Draft, 'recipients' | 'sources'>, id: string) => ({
  recipients: recipients.filter(({ from }) => from !== id),
  sources: ref(sources.filter((one) => one.id !== id)),
})

/** Adds a contact that was chosen, with the values of its fields. */
export function addContact(store: ComposeStore, name: string, contact: Recipient): void {
  const { recipients, sources } = store.state.draft
  const source = sources.find(({ kind }) => kind === 'contacts') ?? {
    id: newIdempotencyKey(),
    kind: 'contacts',
    name,
    columns: [],
  }
  store.write({
    recipients: [...recipients, { ...contact, from: source.id }],
    sources: ref([...sources.filter((one) => one !== source), source]),
  })
}

/** Takes back the paste or file of the report and nothing else; called again, puts it back. */
export function undoSource(store: ComposeStore): void {
  const { report, draft } = store.state
  if (report === null) return
  const { id, removed } = report
  if (removed === null) {
    const recipients = draft.recipients.filter(({ from }) => from === id)
    const sources = draft.sources.filter((one) => one.id === id)
    store.write(without(draft, id))
    store.set({
      report: { ...report, status: 'undone', what: message('Restored.'), removed: { recipients, sources } },
      mapped: '',
    })
  } else {
    store.write({
      recipients: [...draft.recipients, ...removed.recipients],
      sources: ref([...draft.sources, ...removed.sources]),
    })
    store.set({ report: { ...report, status: 'added', removed: null } })
  }
}

/** Removes a source with its recipients; the general undo brings them back. */
export function removeSource(store: ComposeStore, id: string): void {
  const rest = without(store.state.draft, id)
  const count = store.state.draft.recipients.length - rest.recipients.length
  sweep(store, message('{count} recipients removed', { count }), rest)
  if (store.state.report?.id === id) store.set({ report: null })
  if (store.state.mapped === id) store.set({ mapped: '' })
}

/** Gives a column another variable name; says why not, or null. */
export function renameColumn(store: ComposeStore, id: string, number: number, name: string): Message | null {
  const { recipients, sources } = store.state.draft
  const columns = sources.find((one) => one.id === id)?.columns ?? []
  const old = columns.find((one) => one.number === number)?.name
  if (old === undefined || old === name) return null
  if (!isVariableName(name)) return message('Begin with a letter; then letters, digits and the signs _ . - only.')
  const others = columns.filter((one) => one.number !== number).map((one) => [one.name, ''] as const)
  if (nameIn(Object.fromEntries(others), name) !== undefined) return message('Another column fills this variable.')
  store.write({
    sources: ref(
      sources.map((one) =>
        one.id === id
          ? { ...one, columns: columns.map((one) => (one.number === number ? { ...one, name } : one)) }
          : one,
      ),
    ),
    recipients: recipients.map((entry) => {
      const value = entry.from === id ? entry.context?.[old] : undefined
      if (value === undefined) return entry
      const rest = Object.entries(entry.context ?? {}).filter(([one]) => one !== old)
      return { ...entry, context: { ...Object.fromEntries(rest), [name]: value } }
    }),
  })
  return null
}

const counts = new WeakMap<Draft['recipients'], ReadonlyMap<string, number>>()

/** People of each source, by its id. Read once for each list. */
export function countBySource(recipients: Draft['recipients']): ReadonlyMap<string, number> {
  const known = counts.get(recipients)
  if (known) return known
  const keys = new Map<string, Set<string>>()
  for (const { key, problem, from } of recipients) {
    if (from === undefined || problem !== null) continue
    const own = keys.get(from) ?? new Set()
    keys.set(from, own.add(key))
  }
  const counted = new Map([...keys].map(([id, own]) => [id, own.size]))
  counts.set(recipients, counted)
  return counted
}
