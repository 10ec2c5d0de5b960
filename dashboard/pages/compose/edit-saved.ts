import { ref } from 'valtio/vanilla'
import { errorText } from '../../../client/core/http.ts'
import type { HtmlMail } from '../../../contract/mail/message.ts'
import type { Design } from '../../../contract/design/design.ts'
import { checkRecipient } from '../../../widgets/lib/recipients.ts'
import { guardLeaving } from '../../../widgets/compose/drafts/leave-guard.ts'
import type { Draft, Edited } from '../../../widgets/compose/compose-state.ts'
import type { ComposeStore, DraftKeeper } from '../../../widgets/compose/compose-types.ts'

/** What was saved and is opened again. */
export interface Saved {
  edited: Edited
  mailboxId: string
  draft: Partial<Draft>
}

/** How it is read and saved. `save` does with the message what the button says; its answer: whether it is finished here. */
export interface SavedSource {
  load: () => Promise<Saved>
  save: (composer: ComposeStore, mail: HtmlMail) => Promise<boolean>
  /** It cannot be changed any more, or was not found; `why` is a sentence. */
  onMissing: (why: string | null) => void
  /** The title of a failure, in the reader's language. */
  failed: string
}

/** Opens what was saved in a composer. What is written there is not kept as a draft: leaving asks while it is not saved. */
export function editSaved({ load, save, onMissing, failed }: SavedSource): {
  drafts: DraftKeeper
  submit: NonNullable<ComposeStore['submit']>
} {
  let before = ''
  const now = ({ state }: ComposeStore) => JSON.stringify([state.draft, state.entry])
  return {
    drafts(composer) {
      const { state } = composer
      load().then(
        ({ edited, mailboxId, draft }) => {
          Object.assign(state, { edited, senderId: mailboxId })
          const from = state.configs.items.find(({ id }) => id === mailboxId)?.secret_key
          composer.write({ ...draft, ...(from && { from }) })
          before = now(composer)
        },
        (error: unknown) => onMissing(errorText(error)),
      )
      const unguard = guardLeaving(() => {
        composer.settle?.()
        return before !== '' && now(composer) !== before
      })
      return { close: unguard }
    },
    async submit(composer, mail) {
      const { state } = composer
      const kept = before
      try {
        before = ''
        const isFinished = await save(composer, mail)
        if (!isFinished) before = now(composer)
        state.status = 'editing'
      } catch (error) {
        before = kept
        Object.assign(state, { status: 'failed', problem: { title: failed, text: errorText(error) } })
      }
    },
  }
}

/** The parts of a draft that an answer of the API has in common for messages and campaigns. */
export function draftOf(saved: {
  subject: string
  preheader: string
  mode: Draft['mode']
  design?: unknown
  html: string
  context: Readonly<Record<string, string | number | boolean>>
  recipients: readonly string[]
  kind: NonNullable<Draft['kind']>
  fields: Readonly<Record<keyof NonNullable<Draft['fields']>, string | null>>
}): Partial<Draft> {
  const { subject, preheader, mode, design = null, html, context, recipients, kind, fields } = saved
  return {
    subject,
    preheader,
    mode,
    design: design as Design | null,
    messageBody: html,
    text: '',
    context: Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)])),
    recipients: recipients.map(checkRecipient),
    sources: ref([]),
    kind,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value)),
  }
}
