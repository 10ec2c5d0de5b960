import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { BounceAction, BounceReason } from '../../../contract/inbox/bounce-reason.ts'
import type { BounceRow } from '../../store/inbox/bounces.ts'

interface Ports {
  bounces: {
    ofMessage: (scope: Scope, messageId: string) => Promise<BounceRow[]>
    ofRecipient: (scope: Scope, campaignId: string, deliveryId: number) => Promise<BounceRow[]>
  }
  messages: { exists: (scope: Scope, id: string) => Promise<boolean> }
  /** Throws `campaign_not_found`. */
  findCampaign: (scope: Scope, id: string) => Promise<unknown>
  /** Reads the reason out of a mail server's reply. */
  readReply: (reply: string) => { reason: BounceReason; action: BounceAction; words: string; status?: string }
}

/** A bounce or delay with its reason. */
export type FoundBounce = Omit<BounceRow, 'mail' | 'reply'> & {
  kind: 'bounced' | 'delayed' | 'refused'
  reason: BounceReason
  action: BounceAction
  words: string
  status: string | null
  server: string | null
  isLater: boolean
  isVerified: boolean
}

/** Lists what came back of mails. */
export function createBounceService({ bounces, messages, findCampaign, readReply }: Ports) {
  const read = ({ mail, reply, ...row }: BounceRow): FoundBounce => {
    const found = mail?.detail ?? readReply(reply ?? '')
    const { reason = 'undefined', action = 'waiting', words = '', status = null } = found
    const kind = mail?.kind === 'delay' ? 'delayed' : action === 'sender' ? 'refused' : 'bounced'
    return {
      ...row,
      at: new Date(row.at),
      kind,
      reason,
      action,
      words,
      status,
      server: mail?.detail.server ?? null,
      isLater: mail !== null,
      isVerified: mail?.match !== 'unverified',
    }
  }
  return {
    /** Throws `message_not_found`. */
    async listBounces(scope: Scope, id: string): Promise<FoundBounce[]> {
      if (!isRowId(id) || !(await messages.exists(scope, id))) throw new AppError('message_not_found')
      return once(await bounces.ofMessage(scope, id)).map(read)
    },

    /** Throws `campaign_not_found`. */
    async listCampaignBounces(scope: Scope, id: string, deliveryId: string): Promise<FoundBounce[]> {
      await findCampaign(scope, id)
      const number = /^\d{1,15}$/.test(deliveryId) ? Number(deliveryId) : 0
      return once(await bounces.ofRecipient(scope, id, number)).map(read)
    },
  }
}

/** A recipient refused while the mail was sent has one bounce, though a report may follow. */
function once(rows: readonly BounceRow[]): BounceRow[] {
  const refused = new Set(rows.filter(({ mail }) => mail === null).map(({ deliveryId }) => deliveryId))
  return rows.filter(({ mail, deliveryId }) => mail === null || !refused.has(deliveryId))
}
