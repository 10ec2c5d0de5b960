/** What is being designed. */
export interface Design {
  subject: string
  body: string
  tags: string[]
}

/** What a design cannot be saved without. */
export type DesignerField = 'subject' | 'body'
