import { AppError } from '../../../contract/core/errors.ts'
import { uniqueRecipients } from '../../domain/messages/unique-recipients.ts'

/** The distinct addresses of a list, by its name in the body. Throws `validation`. */
export function readRecipients(list: readonly string[], field = 'recipient_list'): string[] {
  const recipients = uniqueRecipients(list)
  if (recipients.ok) return recipients.addresses
  throw new AppError('validation', {
    items: recipients.refused.map(({ index, problem, sentence }) => ({
      loc: ['body', field, index],
      msg: sentence,
      type: `address_${problem}`,
    })),
  })
}
