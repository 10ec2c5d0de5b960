import type { DraftKeeper } from '../widgets/compose/draft-store.ts'
import { refuse } from './bad-option.ts'
import type { Options } from './contract.ts'

/** Puts into a composer what its element says; what somebody has written stays. Throws EmbedError. */
export function prefill(first: Options): { keeper: DraftKeeper; update: (options: Options) => void } {
  let composer: Parameters<DraftKeeper>[0] | null = null
  let last: Options = {}
  contextOf(first)

  function update(next: Options): void {
    if (composer === null) return
    const { state } = composer
    const { subject = '', recipients = '', config } = next
    if (state.draft.subject === (last['subject'] ?? '')) state.draft.subject = subject
    if (recipients !== '' && recipients !== last['recipients']) void composer.addRecipients(recipients)
    if (config !== undefined && config !== last['config']) state.senderId = config
    Object.assign(state.draft.context, contextOf(next))
    last = next
  }

  return {
    keeper(given) {
      composer = given
      update(first)
      return {
        // A message has gone: the next one begins as this one did.
        keep() {
          const again = last
          last = {}
          update(again)
        },
        close: () => void (composer = null),
      }
    },
    update,
  }
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
