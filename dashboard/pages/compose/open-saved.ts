import { editSaved } from './edit-saved.ts'
import { savedCampaign } from './edit-campaign.ts'
import { scheduledMessage, type EditDeps } from './edit-message.ts'

/** The options of a composer that changes what was saved; its mailbox stays. */
export function openSaved({ kind, id }: { kind: 'message' | 'campaign'; id: string }, deps: EditDeps) {
  const source = kind === 'message' ? scheduledMessage(id, deps) : savedCampaign(id, deps)
  return { ...editSaved(source), readonly: ['from'] as const }
}
