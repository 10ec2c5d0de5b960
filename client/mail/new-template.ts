import type { NewTemplate, Template } from '../../contract/mail/template.ts'
import { newIdempotencyKey } from '../core/idempotency-key.ts'
import type { Session } from '../core/http.ts'
import { createEmailTemplate } from './template.ts'

/** A creation that is not known to be done, by its body. */
type Creations = Map<string, { key: string; underWay: Promise<Template> | null }>

/**
 * Saves a template once, however often it is asked for until it is done: a second press joins the first, and a repetition
 * after a lost answer carries the same Idempotency-Key. Once it is done, the same makes another one.
 */
export function createTemplateOnce(session: Session, template: NewTemplate): Promise<Template> {
  const creations = creationsOf(session)
  const body = JSON.stringify(template)
  const creation = creations.get(body) ?? { key: newIdempotencyKey(), underWay: null }
  creations.set(body, creation)
  creation.underWay ??= createEmailTemplate(session, template, { headers: { 'Idempotency-Key': creation.key } })
    .then((created) => {
      creations.delete(body)
      return created
    })
    .finally(() => (creation.underWay = null))
  return creation.underWay
}

function creationsOf({ shared }: Session): Creations {
  const known = shared.get('template-creations') ?? new Map()
  shared.set('template-creations', known)
  return known as Creations
}
