/** What is being designed. */
export interface Design {
  subject: string
  body: string
  tags: string[]
  /** Whether embeds show it to anybody, without a session; left as it is where it is not said. */
  isPublic?: boolean
}

/** What a design cannot be saved without. */
export type DesignerField = 'subject' | 'body'
