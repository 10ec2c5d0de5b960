/** `off`: no pixel and no counted links. `counts`: totals without people. `identified`: by recipient. */
export type TrackingMode = 'off' | 'counts' | 'identified'

/** What created a message. */
export type MessageOrigin =
  | 'campaign'
  | 'dashboard'
  | 'api'
  | 'embed'
  | 'relay'
  | 'sequence'
  | 'form'
  | 'reply'
  | 'test'
  /** A mail of the deployment to its users; never listed. */
  | 'account'
