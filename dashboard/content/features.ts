/** The drawing above a feature's text. */
export type FeatureDrawing = 'deliverability' | 'analytics' | 'security' | 'api' | 'team' | 'templates'

export interface Feature {
  drawing: FeatureDrawing
  title: string
  text: string
}

/** The six cards (spec §1). */
export const featureCards: readonly Feature[] = [
  {
    drawing: 'deliverability',
    title: 'High Deliverability',
    text: 'Mail is sent from the address your readers reply to, through its own mail server, within that server’s limits.',
  },
  {
    drawing: 'analytics',
    title: 'Real-time Analytics',
    text: 'Opens, clicks, bounces, unsubscribes and delivery status, for each message and each recipient, as they happen.',
  },
  {
    drawing: 'security',
    title: 'Enterprise Security',
    text: 'App passwords are encrypted row by row. Secret keys are masked. Your pages never hold a secret key.',
  },
  {
    drawing: 'api',
    title: 'Lightning Fast API',
    text: 'One POST sends. It answers when every recipient is stored, and a retry with the same idempotency key never sends twice.',
  },
  {
    drawing: 'team',
    title: 'Team Collaboration',
    text: 'Invite your team, share templates and mailboxes, and set permissions for each member.',
  },
  {
    drawing: 'templates',
    title: 'Template Library',
    text: 'Start with a template from the library, copy it into your own, and reuse it for the next message.',
  },
]
