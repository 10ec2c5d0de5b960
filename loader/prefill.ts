import type { Session } from '../client/http.ts'
import { getEmailTemplate } from '../client/template.ts'
import type { DraftKeeper } from '../widgets/compose/draft-store.ts'
import { refuse } from './bad-option.ts'
import type { Options } from './contract.ts'

type Composer = Parameters<DraftKeeper>[0]

/** Puts into a composer what its element says; what somebody has written stays. Throws EmbedError. */
export function prefill(first: Options): { keeper: DraftKeeper; update: (options: Options) => void } {
  let composer: Composer | null = null
  let last: Options = {}
  contextOf(first)

  function update(next: Options): void {
    if (composer === null) return
    const { state, session } = composer
    const { subject = '', recipients = '', config, template } = next
    if (state.draft.subject === (last['subject'] ?? '')) state.draft.subject = subject
    if (recipients !== '' && recipients !== last['recipients']) void composer.addRecipients(recipients)
    if (config !== undefined && config !== last['config']) state.senderId = config
    if (template !== undefined && template !== last['template']) void useTemplate(composer, session, template, next)
    Object.assign(state.draft.context, contextOf(next))
    last = next
  }

  return {
    keeper(given) {
      composer = given
      update(first)
      return { close: () => void (composer = null) }
    },
    update,
  }
}

/** A template by its id, where nothing has been written yet. */
async function useTemplate({ state }: Composer, session: Session, id: string, { subject }: Options): Promise<void> {
  const template = await getEmailTemplate(session, id).catch(() => null) // The composer starts empty.
  if (template === null || state.draft.messageBody !== '') return
  if (state.draft.subject === (subject ?? '')) state.draft.subject = subject ?? template.subject
  state.draft.messageBody = template.body
}

function contextOf({ context = '{}' }: Options): Record<string, string> {
  try {
    const value: unknown = JSON.parse(context)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && Object.values(value).every((one) => typeof one === 'string')) return value as Record<string, string>
  } catch {
    // Said below.
  }
  throw refuse('context')
}
