import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CheckPart } from '../../../contract/checks/deliverability.ts'
import { startImapWorld, type ImapWorld, type ReadMailbox } from '../../../tests/support/inbox/imap-world.ts'
import { usualCapabilities } from '../../../tests/support/inbox/scripted-imap.ts'

const authentication = 'mx.example.com; spf=pass smtp.mailfrom=example.com; dkim=fail header.d=example.com; dmarc=pass'

let world: ImapWorld
/** Where the mail server puts a mail to a mailbox of the test; null: nowhere. */
let arrival: { mailbox: ReadMailbox; folder: string; headers: string } | null = null
beforeAll(async () => {
  world = await startImapWorld(
    {},
    {
      onMessage({ to, raw }) {
        if (arrival === null || !to.includes(arrival.mailbox.address)) return undefined
        const { mailbox, folder, headers } = arrival
        mailbox.imap.store.append(folder, Buffer.concat([Buffer.from(headers), raw]), new Date())
        return undefined
      },
    },
  )
})
afterAll(() => world[Symbol.asyncDispose]())

const startSelfTest = async ({ token, id }: ReadMailbox) => {
  const body = { config_id: id, subject: 'Doors open', body: '<p>Hello {{name | default: "you"}}</p>' }
  const answer = await world.server.call('POST', '/email/deliverability/self-test', { token, body })
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
  return answer.body as CheckPart
}

it('the self-test says in which folder its own mail arrived, and what the provider’s Authentication-Results say', async () => {
  const mailbox = await world.mailbox()
  mailbox.imap.capabilities = usualCapabilities
  expect(await startSelfTest(mailbox)).toMatchObject({
    state: 'not_possible',
    reason: 'The self-test reads its mail back. Turn on reading for this mailbox under Email Config.',
  })
  await mailbox.turnOn()
  arrival = { mailbox, folder: 'Junk', headers: `Authentication-Results: ${authentication}\r\n` }
  const junk = await startSelfTest(mailbox)
  expect(junk).toMatchObject({ part: 'self_test', state: 'done' })
  expect(junk.findings).toMatchObject([
    {
      rule: 'self_test_junk',
      severity: 'warning',
      sentence: 'The mail arrived in the junk folder Junk.',
      place: 'Junk',
    },
    {
      rule: 'self_test_not_authenticated',
      severity: 'warning',
      sentence: `Authentication-Results: ${authentication}`,
      remedy: 'Set up DKIM for the sender’s domain.',
    },
  ])
  arrival = { mailbox, folder: 'INBOX', headers: '' }
  expect((await startSelfTest(mailbox)).findings).toMatchObject([
    { rule: 'self_test_inbox', severity: 'info', sentence: 'The mail arrived in INBOX.' },
    { rule: 'self_test_unchecked', severity: 'info' },
  ])
  // Its own mails are no answers.
  expect(await mailbox.replies()).toEqual([])
})
