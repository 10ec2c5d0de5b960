import { snapshot } from 'valtio/vanilla'
import { errorText } from '../../../client/core/http.ts'
import { sendTestMail } from '../../../client/mail/scheduled-message.ts'
import { message } from '../../lib/messages/message.ts'
import { sendFailedPlain } from '../../lib/send-messages.ts'
import type { Recipient } from '../../lib/recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { contentOf } from '../send/body-of.ts'
import { fieldsOf } from '../send/launch-store.ts'

/** To whom a test goes, as it was typed, and with whose values. */
export interface TestChoice {
  to: string
  as: string
}

const key = 'sendwright-test-to'

/** The choice of the last test in this browser. */
export function lastTest(): TestChoice {
  try {
    const { to = '', as = '' } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<TestChoice>
    return { to, as }
  } catch {
    return { to: '', as: '' }
  }
}

/** Sends the message as it is, and keeps the choice. Returns why it did not work, as a sentence. */
export async function sendTestTo(
  composer: ComposeStore,
  choice: TestChoice,
  { addresses, reader }: { addresses: string[]; reader: Recipient | undefined },
): Promise<string | null> {
  const { state, session, notify } = composer
  composer.settle?.()
  const draft = snapshot(state.draft)
  try {
    const { cc: _cc, bcc: _bcc, ...fields } = await fieldsOf(composer, draft)
    const { from_name, reply_to } = fields
    await sendTestMail(session, {
      config_id: state.senderId,
      to: addresses,
      subject: draft.subject,
      ...(await contentOf(draft)),
      context: Object.fromEntries(Object.entries(draft.context).filter(([, value]) => value !== '')),
      ...(from_name !== undefined && { from_name }),
      ...(reply_to !== undefined && { reply_to }),
      ...(reader && { as_recipient: { email: reader.text, context: { ...reader.context } } }),
    })
  } catch (error) {
    return errorText(error) ?? sendFailedPlain
  }
  try {
    localStorage.setItem(key, JSON.stringify(choice))
  } catch {
    // Without room the next test begins with the address of the person.
  }
  notify({ kind: 'success', ...message('Test sent to {address}', { address: addresses.join(', ') }) })
  return null
}
