import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errors } from '../../contract/core/errors.ts'
import { readingSentences } from '../../contract/inbox/reading-sentences.ts'
import { senderMailboxes } from '../../server/compose/core/sender.ts'
import { tryReading } from '../../server/compose/inbox.ts'
import { createInboxReader } from '../../server/inbox/reader.ts'
import { createBearerLogin } from '../../server/mailer/queue/bearer-login.ts'
import { openSession } from '../../server/mailer/smtp/smtp-session.ts'
import { createOAuthClient } from '../../server/oidc/oauth-client.ts'
import { createReaderLeases } from '../../server/store/inbox/reader-lease.ts'
import { createReadingBatchStore } from '../../server/store/inbox/reading-batch.ts'
import { createReadingSwitch } from '../../server/store/inbox/reading-switch.ts'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { createOAuthStates } from '../../server/store/mailboxes/oauth-state.ts'
import { createMessageStore } from '../../server/store/messages/message.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { createOpenReading } from '../../server/usecases/inbox/open-reading.ts'
import { createReadingService } from '../../server/usecases/inbox/reading-service.ts'
import { createFinishMailboxSignIn } from '../../server/usecases/mailboxes/finish-mailbox-sign-in.ts'
import { createStartMailboxSignIn } from '../../server/usecases/mailboxes/start-mailbox-sign-in.ts'
import { startScriptedImap, usualCapabilities } from '../support/inbox/scripted-imap.ts'
import { scopeOf, systemScope } from '../support/scope.ts'
import { useSending } from '../support/sending.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testMailbox } from '../support/test-sender.ts'
import { startTokenIssuer } from '../support/token-issuer.ts'

const sending = useSending()
// The tests share a database, whose secrets are sealed with one key.
let keys: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  keys = await temporaryFolder()
})
afterAll(() => keys[Symbol.asyncDispose]())
const redirectUrl = 'http://127.0.0.1:4000/dashboard/email_config'
const address = 'ann@example.com'

const scopesOf = (url: string) => new URL(url).searchParams.get('scope')?.split(' ').sort()
const smtpOnly = ['https://outlook.office.com/SMTP.Send', 'offline_access']
const both = ['https://outlook.office.com/IMAP.AccessAsUser.All', ...smtpOnly]
const given = { email_address: address, provider: 'outlook' } as const

/** The use cases of reading with a provider, an IMAP server and a mail server. */
async function startWorld() {
  const { database, rows } = sending
  const undo = new AsyncDisposableStack()
  const issuer = undo.use(await startTokenIssuer(redirectUrl))
  const imap = await startScriptedImap()
  undo.defer(() => imap.close())
  imap.capabilities = [...usualCapabilities, 'AUTH=XOAUTH2']
  const sink = await sending.sinkWith({ authMethods: ['XOAUTH2', 'PLAIN'] })
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  const now = () => new Date(nowMs())
  const oauth = createOAuthClient({ gmail: null, outlook: issuer.application }, redirectUrl, nowMs)
  const vault = await openVault(database.pool, join(keys.path, 'secret.key'))
  const mailboxes = createMailboxStore(database, vault, () => new Date())
  const states = createOAuthStates(vault)
  const readings = createReadingSwitch(database)
  const open = createOpenReading({
    readings,
    mailboxes,
    oauth,
    endpointOf: () => ({ host: '127.0.0.1', port: imap.port, security: 'none', isTrusted: true }),
    now,
  })
  const reading = createReadingService({
    readings,
    mailboxes,
    open,
    tryReading: (mailbox) => tryReading(mailbox, false),
    oauth,
    states,
    now,
  })
  const scope = scopeOf(rows.workspaceId)
  const userId = randomUUID()
  const endpoint = { host: '127.0.0.1', port: sink.port, security: 'none', isTrusted: true } as const
  const start = createStartMailboxSignIn({ oauth, states, now })
  const finish = createFinishMailboxSignIn({
    oauth,
    states,
    mailboxes,
    readAfterConsent: (...given) => reading.readAfterConsent(...given),
    now,
    newId: () => randomUUID(),
    newSecretKey: () => `ck_${randomUUID()}`,
    async verifyTokens({ emailAddress, accessToken: pass }) {
      const login = { user: emailAddress, pass, renew: () => Promise.resolve(pass) }
      await (await openSession(endpoint, login, AbortSignal.timeout(10_000))).quit()
      return { ok: true }
    },
  })
  const comeBack = async (url: string) => {
    const back = await issuer.agree(url)
    expect(back.get('error_description')).toBeNull()
    return finish(scope, userId, { code: back.get('code') ?? '', state: back.get('state') ?? '' })
  }
  const bearerLogin = createBearerLogin({ oauth, mailboxes: senderMailboxes(mailboxes), nowMs })
  const messages = createMessageStore(database, vault)
  const plainId = await rows.addMailbox()
  const sender = sending.start(() => null, {
    messages: { findContents: (_workspaceId, ids) => messages.findContents(scope, ids) },
    mailboxes: {
      async open({ mailboxId: id }) {
        if (id === plainId) return testMailbox(sink.port, { endpoint })
        const secrets = await mailboxes.findSecrets(scope, id)
        const login = secrets?.tokens ? await bearerLogin(secrets, secrets.tokens) : null
        return login && testMailbox(sink.port, { provider: 'outlook', login, endpoint })
      },
      pause: ({ mailboxId: id }, ...rest) => mailboxes.pause(scope, id, ...rest),
    },
  })
  let sentCount = 0
  const sends = async (id: string) => {
    await rows.addMessage(id, [`person${sentCount}@example.com`])
    sender.wake(rows.keyOf(id))
    await sink.waitFor(++sentCount)
  }

  function startReader(): void {
    const leases = createReaderLeases(database)
    const batches = createReadingBatchStore(database)
    const none = () => Promise.resolve(null)
    const reader = createInboxReader({
      leases: {
        claim: (owner, limit) => leases.claim(systemScope, owner, limit, false),
        renew: (owner) => leases.renew(systemScope, owner),
        listHeld: (owner) => leases.listHeld(systemScope, owner),
        release: (lease, ...rest) => leases.release(scope, lease, ...rest),
        releaseAll: (owner) => leases.releaseAll(systemScope, owner),
      },
      open: (lease) => open(scope, lease.mailboxId),
      listOwnAddresses: () => readings.ownAddresses(scope),
      find: () => ({ byId: none, isProved: () => false, byProviderId: none, byAddress: none, bySubject: none }),
      listPositions: (lease) => leases.listPositions(scope, lease.mailboxId),
      keepFolders: (lease, folders) => leases.keepFolders(scope, lease.mailboxId, folders),
      commit: async (lease, batch) => {
        await batches.commit(scope, lease, batch)
      },
      setState: (lease, state, error, wholeMs) => leases.setState(scope, lease, { state, error, wholeMs }),
      now,
      newId: () => randomUUID(),
      random: () => 0.5,
      log: { warn: () => undefined },
      tickMs: 50,
    })
    reader.start()
    undo.defer(() => reader.stop())
  }

  return {
    ...{ scope, userId, reading, mailboxes, imap, plainId, sends, startReader, comeBack },
    start: (wanted: Parameters<typeof start>[2]) => start(scope, userId, wanted),
    decline: (url: string) =>
      finish(scope, userId, { code: 'none', state: new URL(url).searchParams.get('state') ?? '' }),
    /** A mailbox whose sign-in asked for sending only. */
    connect: async () => (await comeBack(await start(scope, userId, given))).id,
    consent: async (mailboxId: string) => comeBack(await reading.startConsent(scope, userId, mailboxId)),
    /** The provider withdraws every permission, and the present token ends. */
    async withdraw() {
      await issuer.withdrawAll()
      offsetMs += 56 * 60_000
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  }
}

it('READING-13 a Microsoft mailbox without the IMAP scope answers 409 reading_needs_consent and shows needs_consent with a sentence why', async () => {
  await using world = await startWorld()
  const { scope, reading, imap } = world
  const mailboxId = await world.connect()
  expect(await reading.getReading(scope, mailboxId)).toMatchObject({ isReading: false, state: 'off' })
  await expect(reading.changeReading(scope, mailboxId, { reading: true })).rejects.toMatchObject({
    code: 'reading_needs_consent',
  })
  expect(errors.reading_needs_consent.status).toBe(409)
  expect(await reading.getReading(scope, mailboxId)).toMatchObject({
    isReading: false,
    state: 'needs_consent',
    error: readingSentences.readingConsent,
  })
  expect(imap.connectionCount).toBe(0)
})

it('READING-14 a mailbox in needs_consent goes on sending, whether its owner consents or declines', async () => {
  await using world = await startWorld()
  const { scope, userId, reading, imap } = world
  const mailboxId = await world.connect()
  await expect(reading.changeReading(scope, mailboxId, { reading: true })).rejects.toMatchObject({
    code: 'reading_needs_consent',
  })
  const stateOf = async () => (await reading.getReading(scope, mailboxId)).state
  expect(await stateOf()).toBe('needs_consent')
  await world.sends(mailboxId)

  // The owner declines: the provider sends no code, and nothing changes.
  const consentUrl = await reading.startConsent(scope, userId, mailboxId)
  expect(scopesOf(consentUrl)).toEqual(both)
  await expect(world.decline(consentUrl)).rejects.toMatchObject({ code: 'mailbox_sign_in_failed' })
  expect(await stateOf()).toBe('needs_consent')
  await world.sends(mailboxId)

  // The owner consents: reading is on, with the token.
  await world.consent(mailboxId)
  expect(await reading.getReading(scope, mailboxId)).toMatchObject({ isReading: true, state: 'starting', error: null })
  expect(imap.logins().at(-1)).toMatch(/AUTHENTICATE XOAUTH2/)
  await world.sends(mailboxId)
})

it('READING-15 a new sign-in with a provider asks for the reading scope only if "Read replies and bounces" is ticked', async () => {
  await using world = await startWorld()
  expect(scopesOf(await world.start({ ...given, reading: true }))).toEqual(both)
  expect(scopesOf(await world.start({ ...given, reading: false }))).toEqual(smtpOnly)
  expect(scopesOf(await world.start(given))).toEqual(smtpOnly)
})

it('READING-16 an app password for a Microsoft mailbox gives a sentence that reading is not possible with it', async () => {
  await using world = await startWorld()
  const { scope, reading, mailboxes, imap } = world
  await mailboxes.save(scope, {
    id: randomUUID(),
    emailAddress: 'bob@example.com',
    provider: 'outlook',
    server: null,
    appPassword: 'app password',
    tokens: null,
    secretKey: `ck_${randomUUID()}`,
  })
  const bobId = (await mailboxes.findByAddress(scope, 'bob@example.com', 'outlook')) ?? ''
  await expect(reading.changeReading(scope, bobId, { reading: true })).rejects.toMatchObject({
    code: 'imap_not_offered',
  })
  expect(await reading.getReading(scope, bobId)).toMatchObject({
    canRead: false,
    error: readingSentences.outlookImapPassword,
  })
  expect(imap.connectionCount).toBe(0)
})

it('READING-17 a token that cannot be renewed while reading sets the state needs_consent; sending by app password does not stop', async () => {
  await using world = await startWorld()
  const { scope, reading, imap, plainId } = world
  const mailboxId = await world.connect()
  await world.consent(mailboxId)
  world.startReader()
  const stateOf = async () => (await reading.getReading(scope, mailboxId)).state
  await expect.poll(stateOf).toBe('live')
  await world.withdraw()
  imap.drop('Token expired')
  await expect.poll(stateOf).toBe('needs_consent')
  expect((await reading.getReading(scope, mailboxId)).error).toBe(readingSentences.readingConsent)
  expect(await sending.mailboxOf(mailboxId)).toMatchObject({ status: 'active' })
  await world.sends(plainId)
})
