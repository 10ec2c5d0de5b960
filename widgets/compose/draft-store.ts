import { snapshot, subscribe } from 'valtio/vanilla'
import type { ComposeState, Draft } from './compose-state.ts'

/** A draft as it is kept: the sender by its id, for a secret key is kept nowhere. */
export interface KeptDraft extends Pick<Draft, 'subject' | 'messageBody' | 'context'> {
  configId: string
  recipients: string[]
}

/** Where a draft survives a reload; `write(null)` forgets it. */
export interface DraftStorage {
  read(): KeptDraft | null
  write(draft: KeptDraft | null): void
}

/** What a keeper needs of a composer's store. */
interface Composer {
  readonly state: ComposeState
  addRecipients(text: string): Promise<void>
}

/** Keeps the draft of one composer; handed to it by pages that have a place for drafts. */
export type DraftKeeper = (composer: Composer) => { keep(): void; close(): void }

/** How long typing rests before the draft is kept. */
const keepAfterMs = 400

/** Brings the kept draft back, then keeps what is written: when typing rests, and when the page or the composer goes. */
export function keepDrafts(storage: DraftStorage): DraftKeeper {
  return (composer) => {
    const { state } = composer
    const kept = storage.read()
    if (kept !== null) {
      const { subject, messageBody, context } = kept
      state.senderId = kept.configId
      Object.assign(state.draft, { subject, messageBody, context })
      void composer.addRecipients(kept.recipients.join('\n'))
    }

    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      const { draft, entry, senderId: configId } = snapshot(state)
      const { subject, messageBody, context } = draft
      const recipients = [...draft.recipients.map(({ text }) => text), entry].filter((text) => text.trim() !== '')
      const isEmpty = subject + messageBody + configId === '' && recipients.length === 0
      storage.write(isEmpty ? null : { configId, subject, messageBody, context, recipients })
      state.keptNote = isEmpty ? null : `Draft saved ${new Date().toLocaleTimeString([], { timeStyle: 'short' })}`
    }
    const stop = subscribe(state.draft, () => {
      clearTimeout(timer)
      timer = setTimeout(keep, keepAfterMs)
    })
    const keepNow = () => timer !== undefined && keep()
    window.addEventListener('pagehide', keepNow)
    return {
      keep,
      close() {
        keepNow()
        stop()
        window.removeEventListener('pagehide', keepNow)
      },
    }
  }
}
