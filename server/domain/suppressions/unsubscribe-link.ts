/** Path of unsubscribe links, below their base. */
export const unsubscribePath = '/unsubscribe/'
/** Token of test mails: it identifies no recipient. */
export const testToken = 'test'

/** The mail that a link came with. */
export interface LinkedMail {
  workspaceId: string
  /** Month of the delivery, `YYYY-MM-DD`; null if the link does not contain it. */
  month: string | null
  messageId: string
  deliveryId: number
}
