import type { FindDelivery, MailPlace } from '../../../server/inbox/read-mail.ts'

const none = () => Promise.resolve(null)

/** Finds no delivery. */
export const noDeliveries: FindDelivery = {
  byId: none,
  isProved: () => false,
  byProviderId: none,
  byAddress: none,
  bySubject: none,
}

/** A mail of one byte in INBOX. */
export const place: MailPlace = {
  folder: 'INBOX',
  role: 'inbox',
  uidValidity: 1,
  uid: 1,
  receivedAt: new Date(0),
  sizeBytes: 1,
}
