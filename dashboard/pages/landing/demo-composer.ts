import { mountCompose } from '../../../widgets/compose/compose-element.tsx'
import type { DraftKeeper } from '../../../widgets/compose/compose-types.ts'
import { demoDraft } from '../../content/demo.ts'
import { createDemoSession, demoConfigId } from './demo-session.ts'

/** Starts with a sample message and stores nothing. */
const beginWithDraft: DraftKeeper = (composer) => {
  const { state } = composer
  const { subject, messageBody, context, recipients } = demoDraft
  state.senderId = demoConfigId
  Object.assign(state.draft, { subject, messageBody, context: { ...context } })
  void composer.addRecipients(recipients.join('\n')).then(() => (state.undo = null))
  return { close: () => undefined }
}

/** Mounts the composer that the product ships, on a session that answers without a server. Returns the undo. */
export function mountDemoComposer(element: HTMLElement): () => void {
  return mountCompose(element, {
    session: createDemoSession(() => new Date()),
    // The composer shows the result below the button; a toast would suggest that mail was sent.
    notify: () => undefined,
    options: { drafts: beginWithDraft, mode: 'html' },
  })
}
