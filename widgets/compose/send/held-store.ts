import { ref } from 'valtio/vanilla'
import { deleteEmailCampaign, undoEmailCampaign } from '../../../client/mail/campaign.ts'
import { ApiError, errorText } from '../../../client/core/http.ts'
import { watchMessage } from '../../../client/mail/message.ts'
import { undoMessage } from '../../../client/mail/scheduled-message.ts'
import { sendFailed } from '../../lib/compose-messages.ts'
import { sendFailedPlain, wasUndone } from '../../lib/send-messages.ts'
import type { Launched, Sent } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'

type Composer = Pick<ComposeStore, 'state' | 'session' | 'notify' | 'settle'>

/** From the launch on: it can be undone for so many seconds; afterwards a refusal of the first mail opens it again. */
export function hold(composer: Composer, launched: Launched, sent: Sent, seconds: number): void {
  composer.state.held = ref({ launched, sent, untilMs: Date.now() + seconds * 1000, seconds })
}

/** Takes back what was launched last; the form is as it was before. */
export async function undoSend(composer: Composer): Promise<void> {
  const { state, session, notify } = composer
  const { held } = state
  if (held === null) return
  state.held = null
  const { kind, id } = held.launched
  try {
    if (kind === 'message') await undoMessage(session, id)
    else await undoEmailCampaign(session, id)
  } catch (error) {
    notify({ kind: 'error', text: errorText(error) ?? sendFailedPlain })
    return
  }
  // What the composer made of the form goes with the launch.
  if (kind === 'campaign') await deleteEmailCampaign(session, id).catch(() => undefined)
  reopen(composer, held.sent)
  Object.assign(state, { status: 'editing', sent: null, launched: null, problem: null })
  notify({ kind: 'info', text: wasUndone })
}

/** The time to undo is over: the first result of a message is waited for. */
export async function leave(composer: Composer): Promise<void> {
  const { state, session } = composer
  const { held } = state
  if (held === null) return
  state.held = null
  if (held.launched.kind !== 'message') return
  try {
    for await (const { counts, deliveries } of watchMessage(session, held.launched.id)) {
      if (counts.sent + counts.deferred + counts.unknown > 0) return
      const failed = deliveries.find(({ state }) => state === 'failed')
      if (failed) {
        reopen(composer, held.sent)
        Object.assign(state, {
          status: 'failed',
          sent: null,
          problem: { title: sendFailed, text: failed.reply ?? sendFailedPlain },
        })
        return
      }
    }
  } catch (error) {
    // The progress below the preview goes on asking.
    if (!(error instanceof ApiError)) throw error
  }
}

/** Puts a message back into the form; what was written there since can be restored. */
function reopen({ state, settle }: Composer, { draft, senderId }: Sent): void {
  settle?.()
  const { subject, preheader, messageBody, text, recipients, audience = [], attachments = [] } = state.draft
  const words = subject + preheader + messageBody + text
  if (words !== '' || recipients.length + audience.length + attachments.length > 0)
    state.undo = { text: 'The message that was sent is back.', draft: ref({ ...state.draft }) }
  Object.assign(state.draft, draft)
  state.senderId = senderId
}
