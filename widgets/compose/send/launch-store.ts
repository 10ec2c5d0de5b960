import { snapshot, type Snapshot } from 'valtio/vanilla'
import { ApiError } from '../../../client/core/http.ts'
import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { sendMailWithKey } from '../../../client/mail/message.ts'
import { mergeContexts, nameIn } from '../../../contract/core/variable-names.ts'
import { recipientsMaxCount } from '../../../contract/mail/message.limits.ts'
import type { Accepted, HtmlMail } from '../../../contract/mail/message.ts'
import { sendFailed } from '../../lib/compose-messages.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { Message } from '../../lib/messages/message.ts'
import type { Recipient } from '../../lib/recipients.ts'
import * as messages from '../../lib/send-messages.ts'
import { emptyDraft, missingParts, onlySender, type Draft, type Launched } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { emptyVariables, variableNames } from '../variables/empty-variables.ts'

/** What the launch needs of a composer's store. */
type Composer = Pick<ComposeStore, 'state' | 'session' | 'notify' | 'onSent'>

/** Sends, or says why not; with marked entries, or variables without a value, it asks first. */
export async function launch(composer: Composer): Promise<void> {
  const { state } = composer
  const { recipients } = state.draft
  if (missingParts(state.draft).length > 0) fail(composer, messages.fillRequired)
  else if (uniqueRecipients(recipients).length === 0 && !state.draft.audience?.[0])
    fail(composer, sendFailed, messages.noGoodRecipient)
  else if (recipients.some(({ problem }) => problem !== null) || emptyVariables(state.draft).length > 0) {
    state.status = 'asking'
  } else await go(composer)
}

/** The answer to the question before the launch. */
export async function answer(composer: Composer, yes: boolean): Promise<void> {
  composer.state.status = 'editing'
  if (yes) await go(composer)
}

/** What is written is sent: the form is empty again, and what left is followed. */
export function finish(
  { state, notify, onSent }: Composer,
  launched: Launched,
  sent: Message & { suppressed: number; accepted: number },
  toast: string,
): void {
  const senderId = onlySender(state)?.id ?? ''
  Object.assign(state.draft, emptyDraft(), { audience: [] }, senderId && { from: state.draft.from })
  Object.assign(state, {
    status: 'sent',
    sent,
    launched,
    senderId,
    undo: null,
    report: null,
    mapped: '',
    problem: null,
  })
  notify({ kind: 'success', text: toast })
  onSent?.(launched, sent.accepted)
}

/** One call carries 1,000 recipients and one context for all of them; a campaign carries more. */
function needsCampaign({ subject, messageBody, recipients, context, audience }: Snapshot<Draft>): boolean {
  if (audience?.[0]) return true
  const people = uniqueRecipients(recipients)
  const names = variableNames(`${subject} ${messageBody}`)
  const differs = ({ context: own = {} }: Recipient) =>
    [...names].some((name) => {
      const ownName = nameIn(own, name)
      return ownName !== undefined && own[ownName] !== context[nameIn(context, name) ?? name]
    })
  return people.length > recipientsMaxCount || (people.length > 1 && people.some(differs))
}

async function go(composer: Composer): Promise<void> {
  const { state } = composer
  const draft = snapshot(state.draft)
  const { from, subject, messageBody, context, recipients } = draft
  if (needsCampaign(draft)) {
    // An embed's alias sends messages only.
    if (from.startsWith('eh_')) fail(composer, sendFailed, messages.campaignElsewhere)
    else state.status = 'campaign'
    return
  }
  Object.assign(state, { status: 'sending', problem: null })
  const people = uniqueRecipients(recipients)
  const values = mergeContexts(context, people.length === 1 ? people[0]?.context : null)
  const mail = {
    subject,
    content: messageBody,
    recipient_list: people.map(({ text }) => text),
    context: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  }
  try {
    const accepted = await sendOnce(composer, from, mail)
    finish(composer, { kind: 'message', id: accepted.id }, { ...accepted, text: accepted.message }, messages.sent)
  } catch (error) {
    fail(composer, sendFailed, reasonOf(error))
  }
}

/** Calls with lost answers, by composer: their result is unknown. */
const unanswered = new WeakMap<object, { call: string; key: string }>()

/** Sends it. Repeated after an answer was lost, it is the same call to the server, which does it once. */
async function sendOnce({ state, session }: Composer, from: string, mail: HtmlMail): Promise<Accepted> {
  const call = JSON.stringify([from, mail])
  const lost = unanswered.get(state)
  const key = lost?.call === call ? lost.key : newIdempotencyKey()
  unanswered.delete(state)
  try {
    return await sendMailWithKey(session, from, mail, {}, { headers: { 'Idempotency-Key': key } })
  } catch (error) {
    if (isUnanswered(error)) unanswered.set(state, { call, key })
    throw error
  }
}

/** 409: the first call is still under way, or nothing was done, and then its key is free again. */
const isUnanswered = (error: unknown) => error instanceof ApiError && (error.code === 'network' || error.status === 409)

function fail({ state }: Composer, title: string, text: string | null = null): void {
  Object.assign(state, { status: 'failed', problem: { title, text } })
}

/** Why a launch did not work, as a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'network') return messages.sendUnanswered
  const text = error instanceof ApiError ? error.detail : (error as Partial<Error>).message
  return text === undefined || text === '' ? messages.sendFailedPlain : text
}
