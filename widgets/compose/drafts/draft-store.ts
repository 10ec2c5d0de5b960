import { snapshot, subscribe } from 'valtio/vanilla'
import { createDraftSync, type DraftStatus, type LocalDraftStorage } from '../../../client/mail/draft-sync.ts'
import { checkRecipient } from '../../lib/recipients.ts'
import { onlySender, type ComposeState, type Draft, type Launched } from '../compose-state.ts'
import type { DraftKeeper } from '../compose-types.ts'
import { guardLeaving } from './leave-guard.ts'

/** A draft as it is kept: the sender by its id, for a secret key is kept nowhere. A type, as it is any JSON. */

export type KeptDraft = Pick<Draft, 'subject' | 'messageBody' | 'context'> & {
  mailboxId: string
  /** Entries as text; those with their own values as pairs. */
  recipients: (string | [text: string, context: Record<string, string>])[]
  tags?: readonly string[]
  launched?: Launched | null
}

/** Where the copy in this browser lives. */
export type DraftStorage = LocalDraftStorage<KeptDraft>

/** Which draft of the person's it is. */
export const composeDraftKind = 'compose'

/** How long typing rests before the draft is kept here. */
const keepAfterMs = 400

/**
 * Brings the kept draft back, from this browser at once and from the server when it answers, then keeps what is written: when
 * typing rests, and when the page or the composer goes.
 */
export function keepDrafts(local: DraftStorage): DraftKeeper {
  return (composer) => {
    const { state, session } = composer
    let timer: ReturnType<typeof setTimeout> | undefined
    let status: DraftStatus = 'saved'
    let last = ''

    const sync = createDraftSync<KeptDraft>({
      session,
      kind: composeDraftKind,
      local,
      // What was typed while the server was asked is newer than what it has.
      onNewer: (content) => {
        if (timer === undefined) put(content)
      },
      onOther({ content, revision, updated_at }) {
        const at = `saved elsewhere at ${new Date(updated_at).toLocaleTimeString([], { timeStyle: 'short' })}`
        offer(content, at, () => sync.seen(revision))
      },
      onStatus(next) {
        status = next
        state.keptNote = isEmpty(read(state)) ? null : noteOf(next)
      },
    })

    /** Another version beside the one that is shown; taking it offers that one in turn. */
    function offer(content: KeptDraft, at: string, onSeen: () => void): void {
      const done = () => {
        state.other = null
        onSeen()
      }
      state.other = {
        at,
        dismiss: done,
        take() {
          const mine = read(state)
          done()
          put(content)
          keep()
          offer(mine, 'the one that stood here', () => undefined)
        },
      }
    }

    function put({
      mailboxId,
      subject,
      messageBody,
      context,
      recipients,
      tags = [],
      launched = null,
    }: KeptDraft): void {
      const senderId = mailboxId || (onlySender(state)?.id ?? '')
      Object.assign(state, { senderId, tags, launched })
      composer.write({
        from: state.configs.items.find(({ id }) => id === senderId)?.secret_key ?? '',
        subject,
        messageBody,
        context,
        recipients: recipients.map((entry) =>
          typeof entry === 'string' ? checkRecipient(entry) : { ...checkRecipient(entry[0]), context: entry[1] },
        ),
      })
      last = JSON.stringify(read(state))
    }

    last = JSON.stringify(read(state))
    if (sync.content !== null) put(sync.content)
    sync.start()

    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      const draft = read(state)
      sync.save(isEmpty(draft) && !draft.launched ? null : draft)
    }
    const stop = subscribe(state, () => {
      const now = JSON.stringify(read(state))
      if (now === last) return
      last = now
      clearTimeout(timer)
      timer = setTimeout(keep, keepAfterMs)
    })
    const keepNow = () => timer !== undefined && keep()
    const onPageHide = () => {
      keepNow()
      sync.leave()
    }
    window.addEventListener('pagehide', onPageHide)
    const unguard = guardLeaving(() => {
      keepNow()
      return status === 'unkept'
    })
    return {
      close() {
        keepNow()
        stop()
        sync.close()
        unguard()
        window.removeEventListener('pagehide', onPageHide)
      },
    }
  }
}

function read(state: ComposeState): KeptDraft {
  const { draft, entry, senderId, tags, launched } = snapshot(state)
  // The only mailbox is preselected and not stored: the draft is still empty.
  const mailboxId = senderId === onlySender(state)?.id ? '' : senderId
  const { subject, messageBody, context, recipients } = draft
  const entries = recipients.map(({ text, context: own }): KeptDraft['recipients'][number] =>
    own ? [text, { ...own }] : text,
  )
  if (entry.trim() !== '') entries.push(entry)
  return { mailboxId, subject, messageBody, context: { ...context }, recipients: entries, tags: [...tags], launched }
}

function isEmpty({ subject, messageBody, mailboxId, recipients }: KeptDraft): boolean {
  return subject + messageBody + mailboxId === '' && recipients.length === 0
}

function noteOf(status: DraftStatus): string {
  const time = new Date().toLocaleTimeString([], { timeStyle: 'short' })
  if (status === 'saved') return `Draft saved ${time}`
  if (status === 'too-large') return 'Draft kept in this browser only: it is larger than 1 MB'
  return status === 'local' ? `Draft kept in this browser ${time}` : 'Draft not saved: this browser has no room for it'
}
