import { Type, type Static } from 'typebox'
import {
  acceptableDocuments,
  documentDates,
  nameMaxChars,
  passwordMinChars,
  proofOfWorkMaxChars,
  referralSources,
} from './account.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './account.routes.ts'

export const workspaceRoles = ['owner', 'admin', 'editor', 'viewer'] as const
export type WorkspaceRole = (typeof workspaceRoles)[number]

/** `collapsed` is narrow, with icons only. */
export const sidebarStates = ['open', 'collapsed'] as const
/** Groups of the sidebar that can be folded. */
export const sidebarGroupIds = ['sending', 'audience', 'content', 'developers'] as const
export type SidebarGroupId = (typeof sidebarGroupIds)[number]
/** `system` follows the operating system. */
export const colourSchemes = ['system', 'light', 'dark'] as const

/** Ways to write a message. */
export const composerModes = ['text', 'design', 'html'] as const

export const Preferences = Type.Object({
  sidebar: Type.Optional(Type.Enum([...sidebarStates])),
  scheme: Type.Optional(Type.Enum([...colourSchemes])),
  folded: Type.Optional(
    Type.Array(Type.Enum([...sidebarGroupIds]), { maxItems: 4, description: 'Groups of the sidebar that are folded' }),
  ),
  composer_mode: Type.Optional(Type.Enum([...composerModes], { description: 'How the person wrote last' })),
})
/** A user's dashboard preferences, for every device; absent ones were never set. */
export type Preferences = Static<typeof Preferences>

export const User = Type.Object({
  id: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  confirmed_email: Type.Boolean(),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  has_password: Type.Boolean({ description: 'False for one that signs in elsewhere only' }),
  preferences: Preferences,
  workspace: Type.Object({ id: Type.String(), name: Type.String(), role: Type.Enum([...workspaceRoles]) }),
})
/** The signed-in user (decisions, Routes and accounts). */
export type User = Static<typeof User>

const MessageOnly = Type.Object({ message: Type.String() })

const Confirmation = Type.Object({
  message: Type.String(),
  error: Type.Union([Type.String(), Type.Null()], { description: "'expired', 'invalid', or null on success" }),
})
/** Answer of the confirmation call, on success and on failure alike (spec §7). */
export type Confirmation = Static<typeof Confirmation>

const SignedIn = Type.Object({ access_token: Type.String(), confirmed_email: Type.Boolean() })

/** Sign-up. `hashed_password` is taken and dropped (security.md). */
export const signUp = defineOperation({
  name: 'signUp',
  summary: 'Create an account; a confirmation mail follows',
  ...routeOf(routes.signUp),
  access: 'public',
  body: Type.Object({
    first_name: Type.String({ minLength: 1, maxLength: nameMaxChars }),
    last_name: Type.String({ minLength: 1, maxLength: nameMaxChars }),
    email: Type.String({ minLength: 1 }),
    password: Type.String({ minLength: passwordMinChars }),
    hashed_password: Type.Optional(Type.String({ description: 'Ignored; kept so that older clients may send it.' })),
    referral_source: Type.Optional(Type.Enum([...referralSources])),
  }),
  ignoresUnknownFields: true,
  answers: {
    201: { description: 'The account is made, or was there before: both answer the same.', body: MessageOnly },
  },
  errors: ['too_many_attempts'],
})

export const signIn = defineOperation({
  name: 'signIn',
  summary: 'Exchange email and password for an access token',
  ...routeOf(routes.signIn),
  access: 'public',
  body: Type.Object({
    email: Type.String(),
    password: Type.String(),
    proof_of_work: Type.Optional(
      Type.String({
        maxLength: proofOfWorkMaxChars,
        description:
          'Solution of the `challenge` that a 429 brought (altcha v2, base64 of the JSON `{challenge, solution}`); it permits one try',
      }),
    ),
  }),
  ignoresUnknownFields: true,
  answers: {
    200: {
      description: 'Signed in. The token works for the whole product once the email is confirmed.',
      body: SignedIn,
    },
  },
  errors: ['invalid_credentials', 'too_many_attempts', 'proof_of_work_required'],
})

/** Google's way back leads to /login with a code; this trades it, once, in the browser that started there. */
export const exchangeSignInCode = defineOperation({
  name: 'exchangeSignInCode',
  summary:
    'Exchange the one-time token of /login for an access token; works once, within a minute, in the same browser',
  ...routeOf(routes.exchangeSignInCode),
  access: 'public',
  body: Type.Object({ token: Type.String() }),
  ignoresUnknownFields: true,
  answers: { 200: { description: 'Signed in.', body: SignedIn } },
  errors: ['sign_in_code_invalid'],
})

export const signOut = defineOperation({
  name: 'signOut',
  summary: 'End the session of the access token',
  ...routeOf(routes.signOut),
  access: 'account',
  answers: { 204: { description: 'The token no longer works.' } },
})

export const getCurrentUser = defineOperation({
  name: 'getCurrentUser',
  summary: 'The signed-in person',
  ...routeOf(routes.getCurrentUser),
  access: 'account',
  answers: { 200: { description: 'The current user.', body: User } },
})

export const requestPasswordReset = defineOperation({
  name: 'requestPasswordReset',
  summary: 'Mail a link that sets a new password; value is the email address, URL-encoded',
  ...routeOf(routes.requestPasswordReset),
  access: 'public',
  params: Type.Object({ value: Type.String() }),
  answers: { 200: { description: 'Always the same answer, whatever the address.', body: MessageOnly } },
})

export const updatePassword = defineOperation({
  name: 'updatePassword',
  summary: 'Set a new password with the token of the mailed link; every session of the account ends',
  ...routeOf(routes.updatePassword),
  access: 'public',
  body: Type.Object({ new_password: Type.String({ minLength: passwordMinChars }), token: Type.String() }),
  ignoresUnknownFields: true,
  answers: { 200: { description: 'The password is changed. This does not sign in.', body: MessageOnly } },
  errors: ['reset_invalid'],
})

export const confirmEmail = defineOperation({
  name: 'confirmEmail',
  summary: 'Confirm an email address with the token of the mailed link',
  ...routeOf(routes.confirmEmail),
  access: 'public',
  params: Type.Object({ confirmation_token: Type.String() }),
  answers: { 200: { description: 'Confirmed, now or earlier. This does not sign in.', body: Confirmation } },
  failure: Confirmation,
  errors: ['confirmation_unknown', 'confirmation_expired'],
})

export const resendConfirmation = defineOperation({
  name: 'resendConfirmation',
  summary: 'Send the confirmation mail again; the account is known by its token or by the cookie of sign-up',
  ...routeOf(routes.resendConfirmation),
  access: 'public',
  answers: { 200: { description: 'Always the same answer, whatever the account.', body: MessageOnly } },
})

export const acceptDocument = defineOperation({
  name: 'acceptDocument',
  summary: 'Record that the signed-in person accepts a version of the terms or of the privacy policy',
  ...routeOf(routes.acceptDocument),
  access: 'account',
  body: Type.Object({
    document: Type.Enum([...acceptableDocuments]),
    date: Type.Enum([...new Set(Object.values(documentDates))], { description: 'Day of the version, YYYY-MM-DD' }),
  }),
  answers: { 204: { description: 'Kept, now or earlier.' } },
})
