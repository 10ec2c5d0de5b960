import { snapshot } from 'valtio/vanilla'
import { ApiError, type Session } from '../../client/http.ts'
import { sendMailWithKey } from '../../client/message.ts'
import { recipientsMaxCount } from '../../contract/limits.ts'
import type { Accepted } from '../../contract/message.ts'
import * as messages from '../lib/send-messages.ts'
import type { Draft } from './compose-state.ts'

/** How a launch ended. */
export type Launched = { accepted: Accepted } | { reason: string }

/** Sends a draft to those of its recipients that are addresses; says why when it could not. Never throws. */
export async function sendDraft(session: Session, draft: Draft): Promise<Launched> {
  const { from, subject, messageBody, context, recipients } = snapshot(draft)
  const addresses = recipients.filter(({ problem }) => problem === null).map(({ text }) => text)
  if (addresses.length === 0) return { reason: messages.noGoodRecipient }
  if (addresses.length > recipientsMaxCount) {
    return { reason: messages.tooManyRecipients(addresses.length, recipientsMaxCount) }
  }
  const mail = {
    subject,
    content: messageBody,
    recipient_list: addresses,
    context: Object.fromEntries(Object.entries(context).filter(([, value]) => value !== '')),
  }
  return sendMailWithKey(session, from, mail).then(
    (accepted) => ({ accepted }),
    (error: unknown) => ({ reason: reasonOf(error) }),
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'network') return messages.sendUnanswered
  const text = error instanceof ApiError ? error.detail : (error as Partial<Error>).message
  return text === undefined || text === '' ? messages.sendFailedPlain : text
}
