import { ref, snapshot } from 'valtio/vanilla'
import { ApiError, errorText } from '../../../client/core/http.ts'
import type { HtmlMail } from '../../../contract/mail/message.ts'
import { withoutPreheader } from '../../../mail-design/without-preheader.ts'
import { checkRecipient } from '../../../widgets/lib/recipients.ts'
import { guardLeaving } from '../../../widgets/compose/drafts/leave-guard.ts'
import { openDesign } from '../../../widgets/compose/drafts/draft-store.ts'
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
        const isConflict = error instanceof ApiError && error.status === 409
        const theirs = isConflict ? await load().catch(() => null) : null
        if (theirs !== null) offer(composer, theirs.draft, 'saved by someone else')
        const text = theirs === null ? errorText(error) : conflictSentence
        Object.assign(state, { status: 'failed', problem: { title: failed, text } })
      }
    },
  }
}

const conflictSentence =
  'This was saved by someone else in the meantime. Your version is still here: saving it again replaces theirs.'

/** Offers a version beside the one that is shown; taking it offers that one in turn. */
function offer(composer: ComposeStore, draft: Partial<Draft>, when: string): void {
  const { state } = composer
  const dismiss = () => void (state.other = null)
  state.other = {
    at: when,
    dismiss,
    take() {
      // What a snapshot holds is frozen.
      const mine = structuredClone(snapshot(state.draft)) as Draft
      composer.write(draft)
      offer(composer, mine, 'the one shown before')
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
  const opened = openDesign(mode, design)
  return {
    subject,
    preheader,
    ...opened,
    // The preheader is a field of its own here: HTML that has it as well would show it twice.
    ...(design !== null && { design: opened.design && { ...opened.design, preheader: '' } }),
    messageBody: design === null ? html : withoutPreheader(html),
    text: '',
    context: Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)])),
    recipients: recipients.map(checkRecipient),
    sources: ref([]),
    kind,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value)),
  }
}
