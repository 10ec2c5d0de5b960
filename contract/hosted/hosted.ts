import { Type, type Static } from 'typebox'
import { collectionNameMaxChars, documentIdMaxChars, filterMaxChars, filtersMaxCount } from './hosted.limits.ts'
import { passwordMinChars } from '../account/account.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageHeaders } from '../core/paging.ts'
import * as routes from './hosted.routes.ts'

/** Any JSON object: what a document is, beside its id. */
const Data = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const Document = Type.Object({
  id: Type.String(),
  data: Data,
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A hosted document (spec §3). */
export type Document = Static<typeof Document>

const HostedUser = Type.Object({
  id: Type.String(),
  email: Type.String(),
  data: Data,
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A user of the hosted data backend, who is no product account. The password is never given back. */
export type HostedUser = Static<typeof HostedUser>

const SignedIn = Type.Object({
  access_token: Type.String({ description: 'Goes as bearer token, beside the API key' }),
  user: HostedUser,
})
/** Answer of sign-in and sign-up. */
export type SignedIn = Static<typeof SignedIn>

const InCollection = Type.Object({ collection: Type.String() })
const OneDocument = Type.Object({ collection: Type.String(), id: Type.String() })
const Filter = Type.String({ maxLength: filterMaxChars })

/** Header of a filtered list whose total was not counted to its end: `at-least`. */
export const totalCountRelationHeader = 'X-Total-Count-Relation'

export const getDocument = defineOperation({
  name: 'getDocument',
  summary: 'One document',
  ...routeOf(routes.getDocument),
  access: 'hosted',
  embed: { byId: true },
  params: OneDocument,
  answers: { 200: { description: 'The document.', body: Document } },
  errors: ['collection_forbidden', 'document_not_found'],
})

export const createDocument = defineOperation({
  name: 'createDocument',
  summary: 'Create a document in a collection; the first document creates the collection',
  ...routeOf(routes.createDocument),
  access: 'hosted',
  isRepeatable: true,
  query: Type.Object({
    collection: Type.String({ minLength: 1, maxLength: collectionNameMaxChars, pattern: '^[A-Za-z0-9][\\w.-]*$' }),
  }),
  body: Type.Object({
    data: Data,
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: documentIdMaxChars,
        pattern: '^[A-Za-z0-9][\\w.-]*$',
        description: 'Made by the server if absent',
      }),
    ),
  }),
  answers: { 201: { description: 'The document, committed.', body: Document } },
  errors: ['collection_forbidden', 'document_exists', 'document_too_large', 'collection_full'],
})

export const updateDocument = defineOperation({
  name: 'updateDocument',
  summary: 'Change a document: data is merged by RFC 7396, so null removes a field',
  ...routeOf(routes.updateDocument),
  access: 'hosted',
  params: OneDocument,
  body: Type.Object({ data: Data }),
  answers: { 200: { description: 'The document as it is now.', body: Document } },
  errors: ['collection_forbidden', 'document_not_found', 'document_too_large', 'collection_full'],
})

export const deleteDocument = defineOperation({
  name: 'deleteDocument',
  summary: 'Delete a document',
  ...routeOf(routes.deleteDocument),
  access: 'hosted',
  params: OneDocument,
  answers: { 204: { description: 'Gone.' } },
  errors: ['collection_forbidden', 'document_not_found'],
})

export const listDocuments = defineOperation({
  name: 'listDocuments',
  summary: 'Documents of a collection, oldest first',
  ...routeOf(routes.listDocuments),
  access: 'hosted',
  embed: { byId: true },
  params: InCollection,
  query: Type.Object({
    ...CursorPaging,
    filter: Type.Optional(
      Type.Union([Filter, Type.Array(Filter, { maxItems: filtersMaxCount })], {
        description:
          'field=value, repeatable; all must hold. Dots lead into objects; field__gt, field__lt and field__contains compare.',
      }),
    ),
  }),
  answers: {
    200: {
      description: 'The documents. A field that is not there matches nothing.',
      body: Type.Array(Document),
      headers: {
        ...pageHeaders(),
        [totalCountRelationHeader]: 'at-least, where a filtered list has more than were counted',
      },
    },
  },
  errors: ['collection_forbidden', 'document_not_found', 'list_too_slow'],
})

export const signInHosted = defineOperation({
  name: 'signInHosted',
  summary: 'Exchange a hosted user’s email and password for a token',
  ...routeOf(routes.signInHosted),
  access: 'hosted',
  body: Type.Object({ email: Type.String(), password: Type.String() }),
  ignoresUnknownFields: true,
  answers: { 200: { description: 'Signed in.', body: SignedIn } },
  errors: ['invalid_credentials', 'too_many_attempts'],
})

export const signUpHosted = defineOperation({
  name: 'signUpHosted',
  summary: 'Create a hosted user; hosted users are separate from product accounts',
  ...routeOf(routes.signUpHosted),
  access: 'hosted',
  isRepeatable: true,
  body: Type.Object({
    email: Type.String({ minLength: 1 }),
    password: Type.String({ minLength: passwordMinChars }),
    data: Type.Optional(Data),
  }),
  ignoresUnknownFields: true,
  answers: { 201: { description: 'Made and signed in.', body: SignedIn } },
  errors: ['hosted_email_taken', 'document_too_large', 'too_many_attempts'],
})

export const getHostedUser = defineOperation({
  name: 'getHostedUser',
  summary: 'The signed-in hosted user',
  ...routeOf(routes.getHostedUser),
  access: 'hosted-user',
  answers: { 200: { description: 'The user.', body: HostedUser } },
})

export const updateHostedUser = defineOperation({
  name: 'updateHostedUser',
  summary:
    'Change the signed-in hosted user; data is merged by RFC 7396, a new password ends all other tokens. Email and password need a sign-in within the last 10 minutes, or current_password',
  ...routeOf(routes.updateHostedUser),
  access: 'hosted-user',
  body: Type.Object({
    data: Type.Optional(Data),
    email: Type.Optional(Type.String({ minLength: 1 })),
    password: Type.Optional(Type.String({ minLength: passwordMinChars })),
    current_password: Type.Optional(
      Type.String({ description: 'Checked where it is given; not needed within 10 minutes of the sign-in' }),
    ),
  }),
  answers: { 200: { description: 'The user as it is now.', body: HostedUser } },
  errors: [
    'hosted_email_taken',
    'document_too_large',
    'hosted_sign_in_not_recent',
    'password_wrong',
    'too_many_attempts',
  ],
})
