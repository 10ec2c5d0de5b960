import { ref, snapshot, subscribe, type Snapshot } from 'valtio/vanilla'
import { createDraftSync, type DraftStatus, type LocalDraftStorage } from '../../../client/mail/draft-sync.ts'
import type { Design } from '../../../contract/design/design.ts'
import { isNewerDesign } from '../../../mail-design/migrate.ts'
import { checkRecipient, type Recipient } from '../../lib/recipients.ts'
import {
  onlySender,
  type AttachedFile,
  type AudienceRef,
  type ComposeState,
  type Draft,
  type Launched,
  type MailFields,
  type Mode,
  type Source,
} from '../compose-state.ts'
import type { DraftKeeper } from '../compose-types.ts'
import { guardLeaving } from './leave-guard.ts'

/** A draft as it is kept: the sender by its id, for a secret key is kept nowhere. A type, as it is any JSON. */

export type KeptDraft = Pick<Draft, 'subject' | 'messageBody' | 'context'> &
  Partial<Pick<Draft, 'preheader' | 'mode' | 'design' | 'text' | 'samples'>> & {
    mailboxId: string
    /** Entries as text; those with their own values, or of a source, with these and the place of the source. */
    recipients: (string | [text: string, context: Record<string, string>, sourceAt?: number])[]
    sources?: readonly Source[]
    audience?: readonly AudienceRef[]
    attachments?: readonly AttachedFile[]
    fields?: MailFields
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
    /** Texts and files of recipients that are being read. Counted here: the part of an embed that loads first has no room. */
    let addingCount = 0
    const { addRecipients } = composer
    composer.addRecipients = async (from) => {
      addingCount += 1
      try {
        await addRecipients(from)
      } finally {
        addingCount -= 1
      }
    }

    const sync = createDraftSync<KeptDraft>({
      session,
      kind: composeDraftKind,
      local,
      // What was typed while the server was asked is newer than what it has.
      onNewer(content) {
        const isNewer = !isTyped() && addingCount === 0
        if (isNewer) put(content)
        return isNewer
      },
      onOther({ content, revision, updated_at }) {
        if (isBlank(content)) return
        const at = `saved elsewhere at ${new Date(updated_at).toLocaleTimeString([], { timeStyle: 'short' })}`
        offer(content, at, () => sync.seen(revision))
      },
      onStatus(next) {
        // Typing goes on while the server cannot be reached.
        status = next === 'local' && status === 'offline' ? status : next
        state.keptNote = isEmpty(read(state)) ? null : noteOf(status)
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
          offer(mine, 'the one shown before', () => undefined)
        },
      }
    }

    function put(content: KeptDraft): void {
      // An empty message opens in the mode that the page names.
      const { mode } = state.draft
      fill(isBlank(content) ? { ...content, mode } : content)
    }

    function fill({
      mailboxId,
      subject,
      preheader = '',
      messageBody,
      mode = messageBody === '' ? state.draft.mode : 'html',
      design = null,
      text = '',
      samples = {},
      context,
      recipients,
      sources = [],
      audience = [],
      attachments = [],
      fields = {},
      tags = [],
      launched = null,
    }: KeptDraft): void {
      const senderId = mailboxId || (onlySender(state)?.id ?? '')
      Object.assign(state, { senderId, tags, launched })
      composer.write({
        from: state.configs.items.find(({ id }) => id === senderId)?.secret_key ?? '',
        ...{ subject, preheader },
        ...{ ...openDesign(mode, design), messageBody, text, samples },
        context,
        recipients: withContacts(recipients.map((entry) => readEntry(entry, sources))),
        sources: ref([...sources]),
        audience: withStart(audience),
        attachments: attachments.map((file) => ({ ...file })),
        fields: { ...fields },
      })
      last = JSON.stringify(read(state))
    }

    /** With the lists and segments that the page was opened for. */
    function withStart(audience: readonly AudienceRef[]): AudienceRef[] {
      const isNew = ({ kind, id }: AudienceRef) => !audience.some((one) => one.kind === kind && one.id === id)
      return [...audience, ...(composer.startAudience ?? []).filter(isNew)].map((one) => ({ ...one }))
    }

    /** With the contacts that the page was opened for. */
    function withContacts(entries: readonly Recipient[]): Recipient[] {
      const known = new Set(entries.map(({ key }) => key))
      const started = (composer.startContacts ?? []).map(({ email, context }) => ({
        ...checkRecipient(email),
        context,
      }))
      return [...entries, ...started.filter(({ key }) => !known.has(key))]
    }

    last = JSON.stringify(read(state))
    if (sync.content !== null) put(sync.content)
    else if (composer.startAudience) composer.write({ audience: withStart([]), recipients: withContacts([]) })
    sync.start()

    /** Whether there is a change that is not kept yet. A change of this task has started no timer. */
    function isTyped(): boolean {
      composer.settle?.()
      return timer !== undefined || JSON.stringify(read(state)) !== last
    }
    const keep = () => {
      composer.settle?.()
      clearTimeout(timer)
      timer = undefined
      const draft = read(state)
      // After a launch an empty draft is newer than what another browser still has.
      sync.save(isEmpty(draft) && !state.launched ? null : draft)
    }
    const stop = subscribe(state, () => {
      const draft = read(state)
      const now = JSON.stringify(draft)
      if (now === last) return
      last = now
      clearTimeout(timer)
      // What was launched is not to come back if the browser ends now.
      const isLaunched = Boolean(draft.launched) && isBlank(draft)
      timer = setTimeout(keep, isLaunched ? 0 : keepAfterMs)
    })
    const keepNow = () => isTyped() && keep()
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
  const { subject, preheader, messageBody, text, samples, context } = draft
  const { recipients, sources, audience = [], attachments = [], fields = {} } = draft
  const entries = [...entriesOf(recipients, sources)]
  if (entry.trim() !== '') entries.push(entry)
  return {
    mailboxId,
    subject,
    ...(preheader !== '' && { preheader }),
    messageBody,
    ...keepDesign(draft),
    text,
    samples: { ...samples },
    context: { ...context },
    recipients: entries,
    sources,
    audience,
    tags: [...tags],
    launched: launched?.isOver ? null : launched,
    ...(attachments.length > 0 && { attachments }),
    ...(Object.values(fields).some(Boolean) && { fields }),
  }
}

const keptEntries = new WeakMap<readonly Recipient[], KeptDraft['recipients']>()

/** As they are kept; read once for each list. */
function entriesOf(recipients: readonly Recipient[], sources: readonly Source[]): KeptDraft['recipients'] {
  const kept = keptEntries.get(recipients)
  if (kept) return kept
  const places = new Map(sources.map(({ id }, at) => [id, at]))
  const entries = recipients.map(({ text, context: own, from }): KeptDraft['recipients'][number] => {
    const place = from === undefined ? undefined : places.get(from)
    if (place !== undefined) return [text, { ...own }, place]
    return own ? [text, { ...own }] : text
  })
  keptEntries.set(recipients, entries)
  return entries
}

function readEntry(entry: KeptDraft['recipients'][number], sources: readonly Source[]): Recipient {
  if (typeof entry === 'string') return checkRecipient(entry)
  const [text, context, place] = entry
  const from = place === undefined ? undefined : sources[place]?.id
  return {
    ...checkRecipient(text),
    ...(Object.keys(context).length > 0 && { context }),
    ...(from !== undefined && { from }),
  }
}

function isEmpty({ recipients, audience = [], attachments = [], fields, ...draft }: KeptDraft): boolean {
  const { subject, preheader = '', messageBody, mailboxId } = draft
  const count = recipients.length + audience.length + attachments.length + Object.keys(fields ?? {}).length
  return subject + preheader + messageBody + mailboxId === '' && count === 0
}

/** Whether nothing is written; a sender alone does not count. */
const isBlank = (draft: KeptDraft): boolean => isEmpty({ ...draft, mailboxId: '' }) && (draft.text ?? '') === ''

function noteOf(status: DraftStatus): string {
  const time = new Date().toLocaleTimeString([], { timeStyle: 'short' })
  if (status === 'saved') return `Draft saved ${time}`
  if (status === 'offline') return `Offline. Draft kept in this browser ${time}`
  if (status === 'too-large') return 'Draft kept in this browser only: it is larger than 1 MB'
  return status === 'local' ? `Draft kept in this browser ${time}` : 'Draft not saved: this browser has no room for it'
}

/**
 * The design of a kept or saved message, as the composer opens it. One of a newer edition is put beside the message: its HTML
 * is shown and sent, and Design mode says why it is read-only.
 */
export function openDesign(mode: Mode, document: unknown): Pick<Draft, 'mode' | 'design' | 'newer'> {
  const isNewer = isNewerDesign(document)
  return isNewer
    ? { mode: 'design', design: null, newer: ref(document as object) }
    : { mode, design: document as Design | null, newer: null }
}

/** The parts of a draft that `openDesign` changed, as they are kept: a design of a newer edition in its own mode. */
export function keepDesign(draft: Snapshot<Draft>): Pick<Draft, 'mode' | 'design'> {
  const { mode, newer } = draft
  if (!keepsNewer(draft)) return { mode, design: draft.design as Design | null }
  const document = newer as Design
  return { mode: document.layout === 'letter' ? 'text' : mode, design: document }
}

/** Whether a design of a newer edition is shown, which a save leaves as it is. */
export const keepsNewer = ({ mode, design, newer = null }: Snapshot<Draft>): boolean =>
  mode === 'design' && design === null && newer !== null
