/** Which drawing stands over a feature's words. */
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
    text: 'Mail comes from the address your readers answer to, through its own mail server, at the pace it allows.',
  },
  {
    drawing: 'analytics',
    title: 'Real-time Analytics',
    text: 'Opens, clicks, bounces, unsubscribes and delivery status, for each message and each recipient, as they happen.',
  },
  {
    drawing: 'security',
    title: 'Enterprise Security',
    text: 'App passwords are sealed row by row. Keys show three characters. No page of yours ever holds a secret.',
  },
  {
    drawing: 'api',
    title: 'Lightning Fast API',
    text: 'One POST sends. It answers when every recipient is safely written down, and a repeat never sends again.',
  },
  {
    drawing: 'team',
    title: 'Team Collaboration',
    text: 'Invite the people you write with, share templates and mailboxes, and set permissions for each of them.',
  },
  {
    drawing: 'templates',
    title: 'Template Library',
    text: 'Begin with a template of the house, copy it into your own, and keep what worked for the next time.',
  },
]
