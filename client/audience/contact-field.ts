import type {
  ContactField,
  createContactField as CreateContactField,
  deleteContactField as DeleteContactField,
  listContactFields as ListContactFields,
  listFieldValues as ListFieldValues,
  updateContactField as UpdateContactField,
} from '../../contract/audience/contact-field.ts'
import * as routes from '../../contract/audience/contact-field.routes.ts'
import type { AnswerOf, BodyOf, QueryOf } from '../../contract/core/operation.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Custom fields, in the order of their creation. */
export function listContactFields(session: Session, options?: CallOptions): Promise<ContactField[]> {
  return call<typeof ListContactFields>(session, { route: routes.listContactFields }, options)
}

export function createContactField(
  session: Session,
  body: BodyOf<typeof CreateContactField>,
  options?: CallOptions,
): Promise<ContactField> {
  return call<typeof CreateContactField>(session, { route: routes.createContactField, body }, options)
}

/** Renames a field or changes its choices; values stay. */
export function updateContactField(
  session: Session,
  no: number,
  body: BodyOf<typeof UpdateContactField>,
  options?: CallOptions,
): Promise<ContactField> {
  return call<typeof UpdateContactField>(session, { route: routes.updateContactField, params: { no }, body }, options)
}

/** Deletes a field with its values; `force` also where segments use it. */
export function deleteContactField(
  session: Session,
  no: number,
  query: QueryOf<typeof DeleteContactField> = {},
  options?: CallOptions,
): Promise<null> {
  return call<typeof DeleteContactField>(session, { route: routes.deleteContactField, params: { no }, query }, options)
}

/** The most frequent values of a custom field, or of the column of this name. */
export function listFieldValues(
  session: Session,
  field: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof ListFieldValues>> {
  return call<typeof ListFieldValues>(session, { route: routes.listFieldValues, params: { field } }, options)
}
