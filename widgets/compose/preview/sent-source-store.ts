import { snapshot } from 'valtio/vanilla'
import { errorText } from '../../../client/core/http.ts'
import { previewMail } from '../../../client/mail/scheduled-message.ts'
import { mergeContexts } from '../../../contract/core/variable-names.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { contentOf } from '../send/body-of.ts'
import { kindOf } from '../send/launch-store.ts'

/** The code of a mail as it leaves, or why it could not be read. */
export type SentSourceText = { html: string } | { problem: string }

/** The message of a composer as one of its recipients gets it. Never throws. */
export async function readSource(
  { state, session, settle }: ComposeStore,
  reader: Recipient | undefined,
): Promise<SentSourceText> {
  settle?.()
  const draft = snapshot(state.draft)
  const count = draft.audience?.[0] ? Infinity : uniqueRecipients(draft.recipients).length
  const values = Object.entries(mergeContexts(draft.context, reader?.context))
  try {
    const { html } = await previewMail(session, {
      subject: draft.subject,
      ...(await contentOf(draft)),
      context: Object.fromEntries(values.filter(([, value]) => value !== '')),
      ...(reader && { recipient: reader.text }),
      is_to_many: count > 1,
      ...kindOf(draft, count),
    })
    return { html }
  } catch (error) {
    return { problem: errorText(error) ?? '' }
  }
}
