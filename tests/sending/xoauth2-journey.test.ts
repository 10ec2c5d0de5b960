import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBearerLogin } from '../../server/mailer/queue/bearer-login.ts'
import { createOAuthClient } from '../../server/oidc/oauth-client.ts'
import { openSession } from '../../server/mailer/smtp/smtp-session.ts'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { createMessageStore } from '../../server/store/messages/message.ts'
import { createOAuthStates } from '../../server/store/mailboxes/oauth-state.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { createFinishMailboxSignIn } from '../../server/usecases/mailboxes/finish-mailbox-sign-in.ts'
import { createStartMailboxSignIn } from '../../server/usecases/mailboxes/start-mailbox-sign-in.ts'
import { useSending, wait } from '../support/sending.ts'
import { testMailbox } from '../support/test-sender.ts'
import { startTokenIssuer } from '../support/token-issuer.ts'
import { scopeOf } from '../support/scope.ts'
import { senderMailboxes } from '../../server/compose/core/sender.ts'

const sending = useSending()
const redirectUrl = 'http://127.0.0.1:4000/dashboard/email_config'

it('a mailbox connected at its provider sends, renews its token, and pauses once the permission is withdrawn', async () => {
  const { database, rows } = sending
  await using issuer = await startTokenIssuer(redirectUrl)
  const shown: string[] = []
  const sink = await sending.sinkWith({
    authMethods: ['XOAUTH2'],
    async onLogin(user, token) {
      shown.push(token)
      return (await issuer.accountOf(token)) === user ? undefined : '535 5.7.8 Username and Password not accepted'
    },
  })
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  const oauth = createOAuthClient({ gmail: issuer.application, outlook: null }, redirectUrl, nowMs)
  const vault = await openVault(database.pool, join(sending.folder, 'secret.key'))
  const mailboxes = createMailboxStore(database, vault, () => new Date())
  const endpoint = { host: '127.0.0.1', port: sink.port, security: 'none', isTrusted: true } as const

  // The owner is redirected to the provider, consents there and returns.
  const states = createOAuthStates(vault)
  const now = () => new Date(nowMs())
  const caller = [scopeOf(rows.workspaceId), randomUUID()] as const
  const start = createStartMailboxSignIn({ oauth, states, now })
  const back = await issuer.agree(await start(...caller, { email_address: 'ann@example.com', provider: 'gmail' }))
  const finish = createFinishMailboxSignIn({
    oauth,
    states,
    mailboxes,
    now,
    newId: () => randomUUID(),
    newSecretKey: () => 'ck_1',
    readAfterConsent: () => Promise.resolve(),
    async verifyTokens({ emailAddress, accessToken: pass }) {
      const login = { user: emailAddress, pass, renew: () => Promise.resolve(pass) }
      await (await openSession(endpoint, login, AbortSignal.timeout(10_000))).quit()
      return { ok: true }
    },
  })
  const { id: mailboxId, status } = await finish(...caller, {
    code: back.get('code') ?? '',
    state: back.get('state') ?? '',
  })
  expect(status).toBe('active')

  // Its sender, as a server composes it, but for where the provider's mail server is.
  const bearerLogin = createBearerLogin({ oauth, mailboxes: senderMailboxes(mailboxes), nowMs })
  const messages = createMessageStore(database, vault)
  const sender = sending.start(() => null, {
    messages: { findContents: (_workspaceId, ids) => messages.findContents(rows.scope, ids) },
    mailboxes: {
      async open({ mailboxId }) {
        const secrets = await mailboxes.findSecrets(rows.scope, mailboxId)
        const login = secrets?.tokens ? await bearerLogin(secrets, secrets.tokens) : null
        return login && testMailbox(sink.port, { provider: 'gmail', login, endpoint })
      },
      pause: ({ mailboxId }, ...rest) => mailboxes.pause(rows.scope, mailboxId, ...rest),
    },
  })
  const send = async (recipient: string) => {
    await rows.addMessage(mailboxId, [recipient])
    sink.hangUp()
    sender.wake(sending.rows.keyOf(mailboxId))
  }

  await send('first@example.com')
  await sink.waitFor(1)
  expect(sink.mails[0]).toMatchObject({ user: 'ann@example.com', to: ['first@example.com'] })
  const firstToken = shown.at(-1)

  offsetMs += 56 * 60_000
  await send('second@example.com')
  await sink.waitFor(2)
  expect(issuer.renewalCount).toBe(2)
  expect(shown.at(-1)).not.toBe(firstToken)

  await issuer.withdrawAll()
  offsetMs += 56 * 60_000
  await send('third@example.com')
  await expect
    .poll(() => sending.mailboxOf(mailboxId), wait)
    .toMatchObject({
      status: 'paused',
      until: null,
      reason: expect.stringMatching(/revoked the permission.*Connect the mailbox again/) as string,
    })
  expect(sink.mails).toHaveLength(2)
  // The pause is committed before the released delivery is back in the queue.
  await expect.poll(async () => (await rows.deliveries()).at(-1)?.state, wait).toMatch(/^(queued|deferred)$/)
  expect(sender.logged()).not.toContain(firstToken)
})
