import { snapshot, type Snapshot } from 'valtio/vanilla'
import { ApiError } from '../../../client/core/http.ts'
import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { sendMailWithKey } from '../../../client/mail/message.ts'
import { mergeContexts, nameIn } from '../../../contract/core/variable-names.ts'
import { personalMaxCount } from '../../../contract/mail/send/send.limits.ts'
import { recipientsMaxCount } from '../../../contract/mail/message.limits.ts'
import type { Accepted, HtmlMail } from '../../../contract/mail/message.ts'
import { sendFailed } from '../../lib/compose-messages.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import { message, type Message } from '../../lib/messages/message.ts'
import type { Recipient } from '../../lib/recipients.ts'
import * as messages from '../../lib/send-messages.ts'
import { emptyDraft, missingParts, onlySender, type Draft, type Launched } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { emptyVariables, textsOf, variableNames } from '../variables/empty-variables.ts'
import { contentOf } from './body-of.ts'

/** What the launch needs of a composer's store. */
type Composer = ComposeStore

/** When a message is to leave: a time of day in a zone. */
export interface SendTime {
  scheduled_at: string
  timezone: string
}

/** Sends, or says why not; with marked entries, or variables without a value, it asks first. */
export async function launch(composer: Composer): Promise<void> {
  const { state } = composer
  const { recipients } = state.draft
  if (missingParts(state.draft).length > 0) fail(composer, messages.fillRequired)
  else if (uniqueRecipients(recipients).length === 0 && !state.draft.audience?.[0] && !state.draft.keptCount)
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

/** What was written is sent: the form is empty again, but for what was typed since, and what left is followed. */
export function finish(
  { state, notify, onSent, settle }: Composer,
  launched: Launched,
  sent: Message & Pick<Accepted, 'suppressed' | 'accepted' | 'scheduled_at'>,
  toast: string,
  written = snapshot(state.draft),
): void {
  settle?.()
  const senderId = onlySender(state)?.id ?? ''
  const now = snapshot(state.draft)
  const empty = { ...emptyDraft(state.draft.mode), audience: [], attachments: [], fields: {}, newer: null }
  const unchanged = Object.entries(empty).filter(([name]) => now[name as keyof Draft] === written[name as keyof Draft])
  const sentTo = new Set<unknown>(written.recipients)
  const recipients = state.draft.recipients.filter((_, at) => !sentTo.has(now.recipients[at]))
  Object.assign(state.draft, Object.fromEntries(unchanged), senderId && { from: state.draft.from }, { recipients })
  Object.assign(state, {
    status: 'sent',
    sent,
    // A message for later has a list of its own.
    launched: sent.scheduled_at ? null : launched,
    senderId,
    undo: null,
    report: null,
    mapped: '',
    problem: null,
  })
  notify({ kind: 'success', text: toast })
  onSent?.(launched, sent.accepted)
}

/** Few recipients get a message at once; more of them, or those with values of their own, by way of a dialog. */
function needsCampaign(draft: Snapshot<Draft>): boolean {
  const { from, recipients, context, audience, fields } = draft
  if (audience?.[0]) return true
  const people = uniqueRecipients(recipients)
  const names = variableNames(textsOf(draft))
  const differs = ({ context: own = {} }: Recipient) =>
    [...names].some((name) => {
      const ownName = nameIn(own, name)
      return ownName !== undefined && own[ownName] !== context[nameIn(context, name) ?? name]
    })
  // A page of somebody else sends messages only, up to 1,000.
  const maxCount = from.startsWith('eh_') || hasCopies(fields) ? recipientsMaxCount : directMaxCount
  return people.length > maxCount || (people.length > 1 && people.some(differs))
}

const hasCopies = (fields: Snapshot<Draft>['fields']) => `${fields?.cc ?? ''}${fields?.bcc ?? ''}`.trim() !== ''

/** Largest number of recipients of a launch without a dialog. */
const directMaxCount = 10

/** What a message to so many is, as the author chose it. */
export function kindOf(
  { kind, fields }: Snapshot<Pick<Draft, 'kind' | 'fields'>>,
  count: number,
): Pick<HtmlMail, 'kind'> {
  if (kind === 'transactional' || (kind === 'personal' && count <= personalMaxCount)) return { kind }
  return count > 1 && !hasCopies(fields) ? { kind: 'bulk' } : {}
}

/** The further fields of a draft, as calls take them. Throws an Error for an entry that is no address. */
export async function fieldsOf(
  { loadExtras }: Pick<ComposeStore, 'loadExtras'>,
  { fields = {} }: Snapshot<Draft>,
): Promise<Partial<HtmlMail>> {
  return (await loadExtras?.())?.mailFieldsOf(fields) ?? {}
}

/** The files of a draft, as calls name them. */
export function attachmentsOf({ attachments = [] }: Snapshot<Draft>) {
  return attachments.length === 0 ? {} : { attachments: attachments.map(({ uploadId }) => ({ upload_id: uploadId })) }
}

/** Sends a message for a later time. */
export const schedule = (composer: Composer, time: SendTime) => go(composer, time)

async function go(composer: Composer, time: SendTime | null = null): Promise<void> {
  const { state, submit } = composer
  const draft = snapshot(state.draft)
  const { from } = draft
  if (state.attaching?.some(({ problem }) => problem === null)) {
    fail(composer, sendFailed, message('Wait until the files are uploaded.').text)
    return
  }
  const isCampaign = needsCampaign(draft)
  if (isCampaign && hasCopies(draft.fields)) {
    fail(composer, sendFailed, messages.copiesOfOne)
    return
  }
  if (isCampaign && !submit) {
    // An embed's alias sends messages only.
    if (from.startsWith('eh_')) fail(composer, sendFailed, messages.campaignElsewhere)
    else state.status = 'campaign'
    return
  }
  if (state.isLater && time === null && state.edited?.kind !== 'campaign') {
    state.status = 'later'
    return
  }
  Object.assign(state, { status: 'sending', problem: null })
  // Taken back, the form is as it was.
  const before = { draft: { ...state.draft }, senderId: state.senderId }
  try {
    const mail: HtmlMail = {
      ...(await mailOf(composer, draft)),
      ...(time ?? undoOf(composer)),
      ...attachmentsOf(draft),
    }
    if (submit) {
      await submit(composer, mail)
      return
    }
    const accepted = await sendOnce(composer, from, mail)
    if (accepted.undo_until) {
      const { hold } = await import('./held-store.ts')
      hold(composer, { kind: 'message', id: accepted.id }, before, mail.undo_seconds ?? 0)
    }
    finish(
      composer,
      { kind: 'message', id: accepted.id },
      { ...accepted, text: accepted.message },
      accepted.scheduled_at ? messages.scheduled : messages.sent,
      draft,
    )
  } catch (error) {
    fail(composer, sendFailed, reasonOf(error))
  }
}

async function mailOf(composer: Composer, draft: Snapshot<Draft>) {
  const { subject, context, recipients } = draft
  const people = uniqueRecipients(recipients)
  const values = mergeContexts(context, people.length === 1 ? people[0]?.context : null)
  return {
    subject,
    ...(await contentOf(draft)),
    recipient_list: people.map(({ text }) => text),
    context: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
    ...kindOf(draft, people.length),
    ...(await fieldsOf(composer, draft)),
  }
}

/** For how long a launch is to be held back. */
export function undoOf({ undoSeconds }: Pick<ComposeStore, 'undoSeconds'>): { undo_seconds?: number } {
  const seconds = undoSeconds?.() ?? 0
  return seconds > 0 ? { undo_seconds: seconds } : {}
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
