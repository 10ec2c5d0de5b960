import { snapshot } from 'valtio/vanilla'
import { errorText } from '../../../client/core/http.ts'
import { sendMailWithKey } from '../../../client/mail/message.ts'
import { mergeContexts } from '../../../contract/core/variable-names.ts'
import type { ComposeStore } from '../compose-types.ts'
import { contentOf } from '../send/body-of.ts'
import { message } from '../../lib/messages/message.ts'

/** Sends the current message to one address, with the values of one recipient. Shows the result; never throws. */
export async function sendTest(
  { state, session, notify, settle }: Pick<ComposeStore, 'state' | 'session' | 'notify' | 'settle'>,
  testAddress: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  settle?.()
  const draft = snapshot(state.draft)
  const { from, subject, context: shared } = draft
  const context = Object.fromEntries(Object.entries(mergeContexts(shared, values)).filter(([, value]) => value !== ''))
  try {
    const mail = { subject, ...(await contentOf(draft)), recipient_list: [testAddress], context, is_test: true }
    await sendMailWithKey(session, from, mail)
    notify({ kind: 'success', ...message('Test sent to {address}', { address: testAddress }) })
  } catch (error) {
    notify({ kind: 'error', ...message('The test was not sent. {reason}', { reason: errorText(error) ?? '' }) })
  }
}
