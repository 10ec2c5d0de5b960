import { getEmailTemplate } from '../../client/mail/template.ts'
import type { DraftKeeper } from '../../widgets/compose/compose-types.ts'
import { refuse } from './bad-option.ts'
import type { Options } from '../contract.ts'

type Composer = Parameters<DraftKeeper>[0]

/** What each composer was filled with last: only what has changed since is put in. */
const filled = new WeakMap<Composer, Options>()

/** Prefills a composer from the options of its element; text of the user stays. Resolves after the recipients are added. Throws EmbedError. */
export function prefill(composer: Composer, next: Options): Promise<void> {
  const { state } = composer
  const context = contextOf(next)
  const last = filled.get(composer) ?? {}
  filled.set(composer, next)
  const { subject = '', recipients = '', config, template } = next
  if (state.draft.subject === (last.subject ?? '')) state.draft.subject = subject
  let adding = Promise.resolve()
  if (recipients !== '' && recipients !== last.recipients) adding = composer.addRecipients(recipients)
  if (config !== undefined && config !== last.config) {
    // Chosen now where the list is there, and by the list where it comes later.
    const known = state.configs.items.find(({ id, status }) => id === config && status !== 'paused')
    if (known?.secret_key) composer.choose(known.secret_key)
    state.senderId = config
  }
  if (template !== undefined && template !== last.template) void useTemplate(composer, template, next)
  Object.assign(state.draft.context, context)
  return adding
}

/** A template by its id, where nothing has been written yet. */
async function useTemplate(
  { state, session, notify, set, write }: Composer,
  id: string,
  { subject }: Options,
): Promise<void> {
  const template = await getEmailTemplate(session, id).catch(() => null)
  if (template === null) notify({ kind: 'error', text: 'The template could not be loaded' })
  if (template === null || state.draft.messageBody !== '') return
  if (state.draft.subject === (subject ?? '')) state.draft.subject = subject ?? template.subject
  write({ messageBody: template.body })
  set({ tags: template.context })
}

function contextOf({ context = '{}' }: Options): Record<string, string> {
  try {
    const value: unknown = JSON.parse(context)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && Object.values(value).every((one) => typeof one === 'string')) return value as Record<string, string>
  } catch {
    // Explained below.
  }
  throw refuse('context')
}
