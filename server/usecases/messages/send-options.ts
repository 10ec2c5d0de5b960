import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { groupMaxCount, personalMaxCount, scheduleMaxDays } from '../../../contract/mail/send/send.limits.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import type { MessageOptions } from '../../domain/messages/message.ts'
import { readSchedule, refusedTime, type ScheduleInput } from '../campaigns/campaign-schedule.ts'
import { lineProblems } from '../templates/template-texts.ts'
import { readRecipients } from './read-recipients.ts'

/** Header fields of a message; null: those of the mailbox. */
export interface HeaderInput {
  fromName?: string | null | undefined
  replyTo?: string | null | undefined
}

/** What a call brings beside texts and recipients. */
export interface SendOptions extends HeaderInput, ScheduleInput {
  design?: unknown
  mode?: TemplateMode | undefined
  preheader?: string | undefined
  kind?: MessageKind | undefined
  cc?: readonly string[] | undefined
  bcc?: readonly string[] | undefined
  undoSeconds?: number | undefined
  /** Undefined: as the workspace says for send calls. */
  tracking?: TrackingMode | undefined
}

/** Recipients of a message; `cc` and `bcc` are among them. */
export interface Addressed {
  recipients: string[]
  cc: string[]
  bcc: string[]
}

const dayMs = 86_400_000

/** Header fields, trimmed; blank ones are those of the mailbox. Throws `validation`. */
export function readHeaders({ fromName, replyTo }: HeaderInput): { fromName: string | null; replyTo: string | null } {
  const items: ValidationItem[] = (fromName ?? '') === '' ? [] : lineProblems('from_name', fromName ?? '')
  const name = (fromName ?? '').trim()
  const address = (replyTo ?? '').trim()
  const parsed = address === '' ? null : parseAddress(address)
  if (parsed && !parsed.ok) {
    const msg = `The address for replies ${addressProblems[parsed.problem]}.`
    items.push({ loc: ['body', 'reply_to'], msg, type: `address_${parsed.problem}` })
  }
  if (items.length > 0) throw new AppError('validation', { items })
  return { fromName: name === '' ? null : name, replyTo: parsed?.ok ? parsed.address : null }
}

/** Distinct addresses in the order To, Cc, Bcc; each is where it was named first. Throws `validation`, `too_many_addresses`. */
export function readAddresses(list: readonly string[], { cc = [], bcc = [] }: SendOptions): Addressed {
  const to = readRecipients(list)
  if (cc.length + bcc.length === 0) return { recipients: to, cc: [], bcc: [] }
  const seen = new Set(to.map(keyOf))
  const take = (addresses: readonly string[]) =>
    addresses.filter((address) => {
      const isNew = !seen.has(keyOf(address))
      seen.add(keyOf(address))
      return isNew
    })
  const copies = { cc: take(readRecipients(cc, 'cc')), bcc: take(readRecipients(bcc, 'bcc')) }
  const recipients = [...to, ...copies.cc, ...copies.bcc]
  if (recipients.length > groupMaxCount) {
    const msg = `These are ${recipients.length} addresses; with cc or bcc there may be ${groupMaxCount}.`
    throw new AppError('too_many_addresses', { items: [{ loc: ['body', 'cc'], msg, type: 'too_many_addresses' }] })
  }
  return { recipients, ...copies }
}

const keyOf = (address: string) => address.toLowerCase()

/** Throws `validation` for a kind that so many recipients, or copies, do not allow. */
export function checkKind(kind: MessageKind | undefined, { recipients, cc, bcc }: Addressed): void {
  const refuse = (msg: string) => {
    throw new AppError('validation', { items: [{ loc: ['body', 'kind'], msg, type: 'kind' }] })
  }
  if (kind === 'personal' && recipients.length > personalMaxCount)
    refuse(
      `A personal message has at most ${personalMaxCount} recipients; these are ${recipients.length}. Send it as bulk.`,
    )
  if (kind === 'bulk' && cc.length + bcc.length > 0)
    refuse('A bulk message has a link to unsubscribe of its own for each recipient; send it without cc and bcc.')
}

/** When a message leaves; null: at once. Throws `validation` for a time that has passed or is more than a year ahead. */
export function readSendTime(
  { scheduledAt, timezone }: ScheduleInput,
  now: Date,
): Pick<MessageOptions, 'scheduledAt' | 'timezone'> {
  if (scheduledAt === undefined && timezone === undefined) return { scheduledAt: null, timezone: null }
  const read = readSchedule({ scheduledAt, timezone }, { scheduledAt: null, timezone: null })
  if (read.scheduledAt === null) return { scheduledAt: null, timezone: null }
  const aheadMs = read.scheduledAt.getTime() - now.getTime()
  if (aheadMs <= 0) throw refusedTime('has passed; choose a later time')
  if (aheadMs > scheduleMaxDays * dayMs) throw refusedTime('is more than a year ahead; choose an earlier time')
  return read
}
