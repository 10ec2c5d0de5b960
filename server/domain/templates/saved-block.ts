/** A block of a design that is kept under a name. */
export interface SavedBlockRow {
  id: number
  name: string
  block: object
  createdAt: Date
}
