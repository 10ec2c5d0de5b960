import type { HtmlMail } from '../../../contract/mail/message.ts'
import type { SendOptions } from '../../usecases/messages/send-options.ts'

/** Fields of a call, with the options that they are. */
const optionNames = {
  design: 'design',
  mode: 'mode',
  preheader: 'preheader',
  from_name: 'fromName',
  reply_to: 'replyTo',
  kind: 'kind',
  cc: 'cc',
  bcc: 'bcc',
  undo_seconds: 'undoSeconds',
  scheduled_at: 'scheduledAt',
  timezone: 'timezone',
  tracking: 'tracking',
} as const satisfies Partial<Record<keyof HtmlMail, keyof SendOptions>>

type OptionFields = keyof typeof optionNames
const optionFields = Object.keys(optionNames) as OptionFields[]

/** The options of a call; those that it does not bring are absent. */
export function toOptions(body: Partial<Pick<HtmlMail, OptionFields>>): SendOptions {
  const options: Partial<Record<keyof SendOptions, unknown>> = {}
  for (const field of optionFields) {
    const value = body[field]
    if (value !== undefined) options[optionNames[field]] = value
  }
  return options as SendOptions
}
