/** What follows from a bounce (docs/inbox.md): `dead` suppresses, `waiting` counts, `mail` is shown, `sender` may pause. */
export type BounceAction = 'dead' | 'waiting' | 'mail' | 'sender'

const reasonsByAction = {
  dead: ['user_unknown', 'host_unknown', 'has_moved', 'mailbox_suspended', 'mailbox_disabled', 'domain_not_accepting'],
  waiting: [
    'mailbox_full',
    'system_full',
    'expired',
    'network_error',
    'system_error',
    'mailer_error',
    'temporarily_unavailable',
    'greylisted',
    'recipient_rate_limited',
    'on_hold',
    'dns_error',
    'tls_failed',
  ],
  mail: [
    'message_too_large',
    'content_refused',
    'virus_detected',
    'attachment_refused',
    'syntax_error',
    'not_standard_conforming',
    'loop_detected',
  ],
  sender: [
    'spam_detected',
    'bad_reputation',
    'auth_failed',
    'blocked',
    'rate_limited',
    'too_many_connections',
    'policy_refused',
    'relaying_denied',
    'reverse_dns_missing',
  ],
} as const satisfies Record<BounceAction, readonly string[]>

/** The reasons of one action. */
export type ReasonOf<A extends BounceAction> = (typeof reasonsByAction)[A][number]

/** Why a mail bounced. `undefined`: the report names no reason; it counts as waiting and alone never suppresses. */
export type BounceReason = (typeof reasonsByAction)[BounceAction][number] | 'undefined'

/** What follows from a bounce, in the order of its harm. */
export const bounceActions = Object.keys(reasonsByAction) as BounceAction[]

const actions = new Map<string, BounceAction>(
  bounceActions.flatMap((action) => reasonsByAction[action].map((reason) => [reason, action] as const)),
)

/** The action that follows from a reason. */
export function actionOf(reason: BounceReason): BounceAction {
  return actions.get(reason) ?? 'waiting'
}
