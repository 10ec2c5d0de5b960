import type { HtmlMail } from '../../../contract/mail/message.ts'
import type { SendOptions } from '../../usecases/messages/send-options.ts'

type OptionFields =
  | 'design'
  | 'mode'
  | 'preheader'
  | 'from_name'
  | 'reply_to'
  | 'kind'
  | 'cc'
  | 'bcc'
  | 'undo_seconds'
  | 'scheduled_at'
  | 'timezone'
  | 'tracking'

/** The options of a call; those that it does not bring are absent. */
export function toOptions(body: Partial<Pick<HtmlMail, OptionFields>>): SendOptions {
  const { design, mode, preheader, kind, cc, bcc, timezone, tracking } = body
  const options: SendOptions = {
    ...{ design, mode, preheader, kind, cc, bcc, timezone, tracking },
    fromName: body.from_name,
    replyTo: body.reply_to,
    undoSeconds: body.undo_seconds,
    scheduledAt: body.scheduled_at,
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
