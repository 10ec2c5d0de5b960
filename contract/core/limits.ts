/** Every constant that both sides of the wire know, the unit in its name (spec §9, decisions). */

/** Shortest password that sign-up and reset accept, in characters. */
export const passwordMinChars = 6
/** Longest password that is ever hashed, in UTF-8 bytes. */
export const passwordMaxBytes = 1024
/** Longest first or last name, in characters. */
export const nameMaxChars = 100

/** How much of a secret key a screen shows, in characters. */
export const secretKeyVisibleChars = 3

/** How long a secret key goes on working after another took its place. */
export const oldSecretKeyLifeHours = 24

/** Mail providers in the order the form offers them; the first is the default. */
export const providers = ['gmail', 'outlook', 'yahoo', 'other'] as const
export type Provider = (typeof providers)[number]

/** Answers to "How did you hear about us?" at sign-up. */
export const referralSources = ['Twitter', 'LinkedIn', 'Job Fair', 'Instagram'] as const
export type ReferralSource = (typeof referralSources)[number]

/** Documents that a person accepts, each in the version of a day. */
export const acceptableDocuments = ['terms', 'privacy'] as const
export type AcceptableDocument = (typeof acceptableDocuments)[number]
/** Day of the version in force, `YYYY-MM-DD`: what signing up accepts. The texts stand in dashboard/content/legal/. */
export const documentDates: Readonly<Record<AcceptableDocument, string>> = {
  terms: '2025-08-14',
  privacy: '2025-08-14',
}

/** Rows that a list gives when `limit` is absent, and at most. */
export const listDefaultCount = 100
export const listMaxCount = 500

/** Largest request body, in bytes. */
export const bodyMaxBytes = 1024 * 1024
/** Deepest nesting of a JSON body, in levels. */
export const bodyMaxDepth = 64
/** Most recipients in one send call; a campaign has no cap. */
export const recipientsMaxCount = 1000
/** Longest subject line, in characters. */
export const subjectMaxChars = 998
/** Largest mail to one recipient, its variables filled, in bytes on the wire. */
export const mailMaxBytes = 10 * 1024 * 1024
/** Most merge variables that one context may hold, and the longest value, in characters. */
export const contextMaxCount = 500
export const contextValueMaxChars = 10_000
/** Longest Idempotency-Key, in characters, and how long its answer is kept. */
export const idempotencyKeyMaxChars = 255
export const idempotencyKeptHours = 24
/** Most mails of send calls (not of campaigns) that may wait in one workspace. */
export const queueMaxCount = 100_000
/** Most templates of a workspace, most tags of a template, and the longest tag, in characters. */
export const templatesMaxCount = 10_000
export const templateTagsMaxCount = 100
export const templateTagMaxChars = 200
/** Longest name of a template, in characters. */
export const templateNameMaxChars = 200
/** Longest name of a campaign, in characters; mailboxes that may share one; addresses of one test. */
export const campaignNameMaxChars = 200
export const configsOfCampaignMaxCount = 20
export const campaignTestRecipientsMaxCount = 10
/** Variables without a value that a campaign's answer names. */
export const unfilledShownMaxCount = 20
/** Longest line of a stream of recipients or of suppressions, in bytes. */
export const streamLineMaxBytes = 64 * 1024
/** Refused lines of a stream that the answer names. */
export const refusalsShownMaxCount = 100
/** Connections that a mailbox may be allowed at a time. */
export const mailboxConnectionsMaxCount = 100
/** Longest name of a workspace, in characters. */
export const workspaceNameMaxChars = 100
/** How long the data of a closed account is kept, so that it can be recovered (spec §4, §9). */
export const closedAccountKeptDays = 30
/** Rows that the list of messages counts; from there on its total reads "at least". */
export const messagesCountMaxCount = 1000
/** Maximum and default number of days of one statistics call. */
export const statisticsMaxDays = 90
export const statisticsDefaultDays = 30
/** Longest postal address, in characters. */
export const postalAddressMaxChars = 500
/** Drafts of one person, and the longest name of a kind of draft, in characters. */
export const draftKindsMaxCount = 200
export const draftKindMaxChars = 80
/** How long the client holds its list of templates to be fresh (spec §9). */
export const templateListFreshMs = 5000
/** How long a deleted template can be restored. */
export const templateKeptDays = 30
/** Sends with up to this many recipients wait for the first SMTP verdict (decisions, API). */
export const waitForVerdictMaxCount = 10
/** Longest wait for that verdict. */
export const verdictTimeoutMs = 10_000

/** Life of a confirmation link. */
export const confirmationLifeHours = 24
/** Confirmation mails that an account may ask for in an hour, beside the first. */
export const confirmationResendsPerHourMaxCount = 3
/** Life of a link that resets a password. */
export const resetLifeMinutes = 30
/** Life of the code with which a sign-in elsewhere comes back to /login. */
export const signInCodeLifeSeconds = 60
/** Length of the free trial (spec §9). */
export const trialDays = 14
/** Life of a session without use, and in all. */
export const sessionIdleDays = 7
export const sessionLifeDays = 30

/** Life of an embed session: unless told otherwise, and at most. */
export const embedSessionLifeSeconds = { default: 15 * 60, max: 60 * 60 } as const
/** Life of the code that a consent gives. */
export const embedCodeLifeSeconds = 60
/** Limits of an embed: where none is given, and at most. */
export const embedLimitDefaults = { messages_per_session: 20, recipients_per_session: 100, recipients_per_day: 1000 }
export const embedLimitMaxima = {
  messages_per_session: 1000,
  recipients_per_session: 10_000,
  recipients_per_day: 100_000,
}
/** Embeds of a workspace; origins and configurations of an embed; longest name and `user_ref`, in characters. */
export const embedsMaxCount = 500
export const embedOriginsMaxCount = 50
export const embedConfigsMaxCount = 100
export const embedNameMaxChars = 100
export const userRefMaxChars = 200
/** What a mail server said of a suppressed address, as a caller hands it over. */
export const suppressionDetailMaxChars = 1000
/** How long it is kept what embed sessions did. */
export const embedAuditKeptDays = 90

/** How long /forgot_password shows its success before it leads to /login (spec §9). */
export const resetRedirectMs = 2000
/** How long a copied state and a toast stay. */
export const copiedMs = 2000
export const toastMs = 5000
/** How long the designer shows 'Saved!' of a new template before it leads to the list (decisions, Screens). */
export const savedRedirectMs = 600
/** Length of a dialog's closing animation. */
export const dialogCloseMs = 200

/** Where the browser keeps the access token (spec §3). */
export const accessTokenStorageKey = 'access_token'

/** Where it keeps copies of global templates that are not saved yet (spec §3, decisions). */
export const ownTemplatesStorageKey = 'templates-mine'

/** The address that is a mailbox of its own while the sandbox is on, with any app password (architecture). */
export const sandboxAddress = 'sandbox@localhost'

/** How long a browser has to solve the proof of work that a sign-in asks for. */
export const proofOfWorkLifeMinutes = 10
/** Longest solution of a proof of work, in characters. */
export const proofOfWorkMaxChars = 4096

/** Hosted data backend: largest `data` of a document or of a hosted user, as JSON text in UTF-8. */
export const documentMaxBytes = 256 * 1024
/** Longest name of a collection and longest id of a document, in characters. */
export const collectionNameMaxChars = 100
export const documentIdMaxChars = 128
/** Filters of one list call, and the length of one, in characters. */
export const filtersMaxCount = 8
export const filterMaxChars = 1000
/** Rows that a filtered list counts; from there on its total reads "at least". */
export const filteredCountMaxCount = 500
/** What a hosted user's own collection may hold. */
export const ownCollectionMaxCount = 200
export const ownCollectionMaxBytes = 1024 * 1024
/** Life of a hosted user's token. */
export const hostedTokenLifeDays = 30
/** Attempts within a quarter of an hour: of one address at one hosted account, at that account, and of one address. */
export const hostedSignInsMaxCount = { pair: 10, account: 100, address: 300 }
/** Hosted accounts that one network may make in an hour. */
export const hostedSignUpsPerHourMaxCount = 60
/** Sign-ups with an address that has a hosted user already, of one network in an hour; then all its sign-ups wait. */
export const hostedTakenSignUpsPerHourMaxCount = 10
/** For how long after a sign-in a hosted user may change email or password without the current password. */
export const hostedSignInRecentMinutes = 10
/** Current passwords of one hosted user that may be tried in a quarter of an hour, to change email or password. */
export const hostedPasswordChecksMaxCount = 5

/** The collection that global templates are read from (spec §7). */
export const templatesCollection = 'templates'

/** Where the browser keeps a hosted user's token and the user (spec §3). */
export const hostedTokenStorageKey = 'cocobase-token'
export const hostedUserStorageKey = 'cocobase-user'
