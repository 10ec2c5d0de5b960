import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
import { testMailbox } from '../support/test-sender.ts'
import { startTokenIssuer } from '../support/token-issuer.ts'

const sending = useSending()
const redirectUrl = 'http://127.0.0.1:4000/dashboard/email_config'
const address = 'ann@example.com'

it('READING-13 READING-14 READING-15 READING-16 READING-17 a Microsoft mailbox without the IMAP scope answers reading_needs_consent and shows needs_consent with a sentence why; a mailbox in needs_consent goes on sending, whether its owner consents or declines; a new sign-in with a provider asks for the reading scope only if it is wanted; an app password for a Microsoft mailbox gives a sentence that reading is not possible with it; a token that cannot be renewed while reading sets the state needs_consent; sending by app password does not stop', async () => {
  const { database, rows } = sending
  await using issuer = await startTokenIssuer(redirectUrl)
  const imap = await startScriptedImap()
  await using undo = new AsyncDisposableStack()
  undo.defer(() => imap.close())
  imap.capabilities = [...usualCapabilities, 'AUTH=XOAUTH2']
  const sink = await sending.sinkWith({ authMethods: ['XOAUTH2', 'PLAIN'] })
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  const now = () => new Date(nowMs())
  const oauth = createOAuthClient({ gmail: null, outlook: issuer.application }, redirectUrl, nowMs)
  const vault = await openVault(database.pool, join(sending.folder, 'secret.key'))
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
  const scopesOf = (url: string) => new URL(url).searchParams.get('scope')?.split(' ').sort()
  const smtpOnly = ['https://outlook.office.com/SMTP.Send', 'offline_access']
  const both = ['https://outlook.office.com/IMAP.AccessAsUser.All', ...smtpOnly]

  // A new sign-in asks for the permission to read only where its box is ticked.
  const given = { email_address: address, provider: 'outlook' } as const
  expect(scopesOf(await start(scope, userId, { ...given, reading: true }))).toEqual(both)
  const url = await start(scope, userId, given)
  expect(scopesOf(url)).toEqual(smtpOnly)
  const { id: mailboxId } = await comeBack(url)
  expect(await reading.getReading(scope, mailboxId)).toMatchObject({ isReading: false, state: 'off' })

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
  const sends = async (id = mailboxId) => {
    await rows.addMessage(id, [`person${sentCount}@example.com`])
    sender.wake(rows.keyOf(id))
    await sink.waitFor(++sentCount)
  }

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
  await sends()

  // The owner declines: the provider sends no code, and nothing changes.
  const consentUrl = await reading.startConsent(scope, userId, mailboxId)
  expect(scopesOf(consentUrl)).toEqual(both)
  await expect(
    finish(scope, userId, { code: 'none', state: new URL(consentUrl).searchParams.get('state') ?? '' }),
  ).rejects.toMatchObject({ code: 'mailbox_sign_in_failed' })
  expect(await reading.getReading(scope, mailboxId)).toMatchObject({ state: 'needs_consent' })
  await sends()

  // The owner consents: reading is on, with the token.
  await comeBack(await reading.startConsent(scope, userId, mailboxId))
  expect(await reading.getReading(scope, mailboxId)).toMatchObject({ isReading: true, state: 'starting', error: null })
  expect(imap.logins().at(-1)).toMatch(/AUTHENTICATE XOAUTH2/)
  await sends()

  // The provider ends the permission while the mailbox is read.
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
  const stateOf = async () => (await reading.getReading(scope, mailboxId)).state
  await expect.poll(stateOf).toBe('live')
  await issuer.withdrawAll()
  offsetMs += 56 * 60_000
  imap.drop('Token expired')
  await expect.poll(stateOf).toBe('needs_consent')
  expect((await reading.getReading(scope, mailboxId)).error).toBe(readingSentences.readingConsent)
  expect(await sending.mailboxOf(mailboxId)).toMatchObject({ status: 'active' })
  await sends(plainId)

  // With an app password, reading is not possible at Microsoft.
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
})
