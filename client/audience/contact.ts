import type {
  Contact,
  ContactChanges,
  ContactCount,
  ContactDetail,
  ContactFilter,
  countContacts as CountContacts,
  createContact as CreateContact,
  deleteContact as DeleteContact,
  eraseContact as EraseContact,
  exportContact as ExportContact,
  exportContacts as ExportContacts,
  getContact as GetContact,
  listContacts as ListContacts,
  listContactTimeline as ListContactTimeline,
  NewContact,
  TimelineEntry,
  updateContact as UpdateContact,
} from '../../contract/audience/contact.ts'
import * as routes from '../../contract/audience/contact.routes.ts'
import type { AnswerOf, QueryOf } from '../../contract/core/operation.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'

/** A page of the contacts that match; `totalCount` is that of the page only. */
export function listContacts(
  session: Session,
  query: QueryOf<typeof ListContacts> = {},
  options?: CallOptions,
): Promise<Page<Contact>> {
  return callList<typeof ListContacts>(session, { route: routes.listContacts, query }, options)
}

/** How many match: an estimate where there are many, then the exact number. */
export function countContacts(
  session: Session,
  query: ContactFilter = {},
  options?: CallOptions,
): AsyncGenerator<ContactCount> {
  return readEvents<ContactCount>(
    callStream<typeof CountContacts>(session, { route: routes.countContacts, query }, options),
  )
}

export function createContact(session: Session, body: NewContact, options?: CallOptions): Promise<ContactDetail> {
  return call<typeof CreateContact>(session, { route: routes.createContact, body }, options)
}

export function getContact(session: Session, id: string, options?: CallOptions): Promise<ContactDetail> {
  return call<typeof GetContact>(session, { route: routes.getContact, params: { id } }, options)
}

/** Changes what is given. */
export function updateContact(
  session: Session,
  id: string,
  body: ContactChanges,
  options?: CallOptions,
): Promise<ContactDetail> {
  return call<typeof UpdateContact>(session, { route: routes.updateContact, params: { id }, body }, options)
}

export function deleteContact(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof DeleteContact>(session, { route: routes.deleteContact, params: { id } }, options)
}

/** Erases the person: everything that is stored about the contact. */
export function eraseContact(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof EraseContact>(session, { route: routes.eraseContact, params: { id } }, options)
}

/** What was sent to a contact, its consents and memberships, newest first. */
export function listContactTimeline(
  session: Session,
  id: string,
  query: QueryOf<typeof ListContactTimeline> = {},
  options?: CallOptions,
): Promise<Page<TimelineEntry>> {
  return callList<typeof ListContactTimeline>(
    session,
    { route: routes.listContactTimeline, params: { id }, query },
    options,
  )
}

/** The contacts that match as CSV or NDJSON, in pieces as they come. */
export function exportContacts(
  session: Session,
  query: QueryOf<typeof ExportContacts> = {},
  options?: CallOptions,
): AsyncGenerator<string> {
  return callStream<typeof ExportContacts>(session, { route: routes.exportContacts, query }, options)
}

/** All data of one contact. */
export function exportContact(
  session: Session,
  id: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof ExportContact>> {
  return call<typeof ExportContact>(session, { route: routes.exportContact, params: { id } }, options)
}
