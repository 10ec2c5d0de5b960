/** What is being designed. */
export interface Design {
  /** For people; may be empty: lists show the subject then. */
  name: string
  subject: string
  body: string
  tags: string[]
  /** Whether embeds show it to anybody, without a session; left as it is where it is not said. */
  isPublic?: boolean
}

/** What is written into a design; it cannot be saved without subject and body. */
export type DesignerField = 'name' | 'subject' | 'body'
