import type { CampaignStatus } from './campaign.ts'

/**
 * The state machine of a campaign: what each event turns each state into. A state that an event does not list refuses it.
 * Every statement that writes a campaign's state takes its states from here.
 */
export const campaignTransitions = {
  edit: { draft: 'draft', scheduled: 'scheduled' },
  addRecipients: { draft: 'draft', scheduled: 'scheduled' },
  launch: { draft: 'sending', scheduled: 'sending' },
  /** A launch for a later time. */
  schedule: { draft: 'scheduled', scheduled: 'scheduled' },
  /** The launch is undone in the time for it. */
  undo: { scheduled: 'draft' },
  /** A launch, or the scheduled time, of a campaign with an audience: its people are copied into the queue first. */
  prepare: { draft: 'preparing', scheduled: 'preparing' },
  /** All people of its audience are in the queue. */
  filled: { preparing: 'sending' },
  /** The scheduled time has come. */
  start: { scheduled: 'sending' },
  /** It cannot start: no mailbox is connected any more, or its audience refers to something deleted, or is empty. */
  fail: { scheduled: 'failed', preparing: 'failed' },
  pause: { scheduled: 'paused', preparing: 'paused', sending: 'paused' },
  resume: { paused: 'sending' },
  /** Resumes a campaign whose audience is not copied completely. */
  refill: { paused: 'preparing' },
  /** Resumes a campaign whose scheduled time is still to come. */
  reschedule: { paused: 'scheduled' },
  /** No delivery is pending. */
  finish: { sending: 'finished' },
  /** Requeues refused deliveries. */
  retry: { sending: 'sending', paused: 'paused', finished: 'sending' },
  cancel: {
    draft: 'cancelled',
    scheduled: 'cancelled',
    preparing: 'cancelled',
    sending: 'cancelled',
    paused: 'cancelled',
  },
  /** The account is closed: drafts stay. */
  closeAccount: { scheduled: 'cancelled', preparing: 'cancelled', sending: 'cancelled', paused: 'cancelled' },
  delete: {
    draft: 'cancelled',
    scheduled: 'cancelled',
    preparing: 'cancelled',
    sending: 'cancelled',
    paused: 'cancelled',
    finished: 'finished',
    cancelled: 'cancelled',
    failed: 'failed',
  },
} as const satisfies Record<string, Partial<Record<CampaignStatus, CampaignStatus>>>

export type CampaignEvent = keyof typeof campaignTransitions

/** States that send nothing more on their own. */
export const endedStates = ['finished', 'cancelled', 'failed'] as const satisfies readonly CampaignStatus[]

export function isEnded(status: CampaignStatus): boolean {
  return (endedStates as readonly CampaignStatus[]).includes(status)
}

/** States in which an event is possible. */
export function statesBefore(event: CampaignEvent): readonly CampaignStatus[] {
  return Object.keys(campaignTransitions[event]) as CampaignStatus[]
}

/** State after an event; null where the state refuses it. */
export function nextState(event: CampaignEvent, status: CampaignStatus): CampaignStatus | null {
  const targets: Partial<Record<CampaignStatus, CampaignStatus>> = campaignTransitions[event]
  return targets[status] ?? null
}

type Targets<E extends CampaignEvent> = (typeof campaignTransitions)[E][keyof (typeof campaignTransitions)[E]]

/** States before and after an event that always leads to the same state. */
export function transitionOf<E extends CampaignEvent>(event: E): { from: readonly CampaignStatus[]; to: Targets<E> } {
  const [to, ...others] = new Set<unknown>(Object.values(campaignTransitions[event]))
  if (others.length > 0) throw new Error(`${event} leads to several states`)
  return { from: statesBefore(event), to: to as Targets<E> }
}

/** Events that a user requests. */
export type CampaignAction = 'edit' | 'addRecipients' | 'launch' | 'pause' | 'resume' | 'cancel' | 'retry' | 'resend'

const actionTexts: Readonly<Record<CampaignAction, string>> = {
  edit: 'be changed, except its name',
  addRecipients: 'take recipients',
  launch: 'be launched',
  pause: 'be paused',
  resume: 'be resumed',
  cancel: 'be cancelled',
  retry: 'be sent again',
  resend: 'be resent',
}

const statusTexts: Readonly<Record<CampaignStatus, string>> = {
  draft: 'a draft',
  scheduled: 'scheduled',
  preparing: 'being prepared',
  sending: 'being sent',
  paused: 'paused',
  finished: 'finished',
  cancelled: 'cancelled',
  failed: 'failed',
}

/** Error text for an action that a state refuses. */
export function stateSentence(action: CampaignAction, status: CampaignStatus): string {
  return `The campaign is ${statusTexts[status]}; it cannot ${actionTexts[action]}.`
}
