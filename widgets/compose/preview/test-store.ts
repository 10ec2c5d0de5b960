import { snapshot } from 'valtio/vanilla'
import { errorText } from '../../../client/core/http.ts'
import { sendMailWithKey } from '../../../client/mail/message.ts'
import { mergeContexts } from '../../../contract/core/variable-names.ts'
import type { ComposeStore } from '../compose-types.ts'
import { message } from '../../lib/messages/message.ts'

/** Sends the current message to one address, with the values of one recipient. Shows the result; never throws. */
export async function sendTest(
  { state, session, notify }: Pick<ComposeStore, 'state' | 'session' | 'notify'>,
  testAddress: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const { from, subject, messageBody, context: shared } = snapshot(state.draft)
  const context = Object.fromEntries(Object.entries(mergeContexts(shared, values)).filter(([, value]) => value !== ''))
  try {
    const mail = { subject, content: messageBody, recipient_list: [testAddress], context, is_test: true }
    await sendMailWithKey(session, from, mail)
    notify({ kind: 'success', ...message('Test sent to {address}', { address: testAddress }) })
  } catch (error) {
    notify({ kind: 'error', ...message('The test was not sent. {reason}', { reason: errorText(error) ?? '' }) })
  }
}
