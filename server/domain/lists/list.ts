/** A list as it is stored, with the numbers of its members. */
export interface ListRow {
  id: number
  name: string
  description: string
  isPublic: boolean
  createdAt: Date
  /** Members by state, and those that became `subscribed` within 30 days less those that left. */
  subscribedCount: number
  pendingCount: number
  unsubscribedCount: number
  grownCount: number
}
