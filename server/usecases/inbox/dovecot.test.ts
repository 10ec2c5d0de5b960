import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDovecot, startDovecot, type Dovecot } from '../../../tests/support/inbox/dovecot.ts'
import { startImapWorld, type ImapWorld, type ReadMailbox } from '../../../tests/support/inbox/imap-world.ts'
import { letter, reply, report } from '../../../tests/support/inbox/incoming.ts'

if (!hasDovecot) process.stderr.write('dovecot is not on the path: the tests of reading against Dovecot are skipped.\n')

describe.runIf(hasDovecot)('a mailbox on Dovecot', () => {
  let dovecot: Dovecot
  let world: ImapWorld
  beforeAll(async () => {
    dovecot = await startDovecot()
    world = await startImapWorld({ IMAP_ALLOW: `127.0.0.1:${dovecot.port}` })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await dovecot[Symbol.asyncDispose]()
  })

  const turnOn = async (mailbox: ReadMailbox) => {
    const server = { imap_host: '127.0.0.1', imap_port: dovecot.port, imap_security: 'none' }
    const answer = await mailbox.change({ reading: true, ...server })
    expect([answer.status, answer.text]).toEqual([200, expect.anything()])
    await expect.poll(async () => (await mailbox.reading()).state).toBe('live')
  }
  const wordsOf = async (mailbox: ReadMailbox) => (await mailbox.replies()).map((one) => one.first_words).sort()
  const suppressed = async (mailbox: ReadMailbox) => (await mailbox.suppressions()).map(({ email }) => email).sort()

  it('is read in INBOX, Junk and Sent, and by IDLE within 10 s: a bounce suppresses and a reply is listed', async () => {
    const mailbox = await world.mailbox()
    const [left, gone] = [await mailbox.send(), await mailbox.send()]
    await using program = await dovecot.program(mailbox.address)
    await turnOn(mailbox)
    expect((await mailbox.reading()).folders.map(({ folder, role }) => `${role} ${folder}`)).toEqual([
      'inbox INBOX',
      'junk Junk',
      'sent Sent',
    ])
    const startedAt = performance.now()
    await program.append('INBOX', report(gone))
    await expect.poll(() => suppressed(mailbox), { timeout: 10_000 }).toEqual([gone.recipient])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await program.append('INBOX', reply(left, 'Two places, please.'))
    await expect.poll(() => wordsOf(mailbox)).toEqual(['Two places, please.'])
  })

  it('keeps flags, folders and dates of 1,000 mails that are read', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await using program = await dovecot.program(mailbox.address)
    await turnOn(mailbox)
    const flagsOf = [[], [String.raw`\Seen`], [String.raw`\Flagged`], [String.raw`\Answered`, String.raw`\Seen`]]
    const folders = ['INBOX', 'INBOX', 'INBOX', 'Junk', 'Sent']
    const given = Array.from({ length: 1000 }, (_, at) => ({
      folder: folders[at % folders.length]!,
      flags: flagsOf[at % flagsOf.length]!,
      receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
      subject: at % 10 === 0 ? `Re: ${left.subject}` : `Letter ${at}`,
    }))
    for (const [at, { folder, flags, receivedAt, subject }] of given.entries()) {
      const mail = at % 10 === 0 ? reply(left, `Answer ${at}`) : letter('friend@example.net', subject, 'Hello')
      await program.append(folder, mail, flags, new Date(receivedAt))
    }
    // The other folders are read again on a new connection.
    await dovecot.kick(mailbox.address)
    await mailbox.seen(1000)
    await using after = await dovecot.program(mailbox.address)
    for (const name of new Set(folders)) {
      const kept = (await after.list(name)).map(({ flags, receivedAt, subject }) => ({ flags, receivedAt, subject }))
      const wanted = given
        .filter(({ folder }) => folder === name)
        .map(({ flags, receivedAt, subject }) => ({ flags, receivedAt, subject }))
      expect([name, kept]).toEqual([name, wanted])
    }
  })

  it('is read on after its connection was killed, and each mail that came meanwhile is taken once', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await using program = await dovecot.program(mailbox.address)
    await turnOn(mailbox)
    await program.append('INBOX', reply(left, 'Before.'))
    await expect.poll(() => wordsOf(mailbox)).toEqual(['Before.'])
    await program.append('Junk', reply(left, 'From the junk folder.'))
    await program.append('Sent', letter(mailbox.address, `Re: ${left.subject}`, 'My own copy.'))
    await dovecot.kick(mailbox.address)
    await using later = await dovecot.program(mailbox.address)
    await later.append('INBOX', reply(left, 'Meanwhile.'))
    await expect.poll(() => wordsOf(mailbox)).toEqual(['Before.', 'From the junk folder.', 'Meanwhile.'])
    await mailbox.seen(4)
    expect((await mailbox.reading()).counts.replies).toBe(3)
  })

  it('with a folder that is made again has no event twice, and a bounce there that was not taken is found', async () => {
    const mailbox = await world.mailbox()
    const [left, gone] = [await mailbox.send(), await mailbox.send()]
    await using program = await dovecot.program(mailbox.address)
    await turnOn(mailbox)
    const known = reply(left, 'Known.')
    await program.append('Junk', known)
    await dovecot.kick(mailbox.address)
    await expect.poll(() => wordsOf(mailbox)).toEqual(['Known.'])
    await using owner = await dovecot.program(mailbox.address)
    const validityOf = async () => {
      const status = await owner.client.status('Junk', { uidValidity: true })
      return status === false ? null : status.uidValidity
    }
    const before = await validityOf()
    await owner.client.mailboxDelete('Junk')
    await owner.client.mailboxCreate('Junk')
    expect(await validityOf()).not.toBe(before)
    await owner.append('Junk', known)
    await owner.append('Junk', report(gone))
    await dovecot.kick(mailbox.address)
    await expect.poll(() => suppressed(mailbox)).toEqual([gone.recipient])
    expect(await wordsOf(mailbox)).toEqual(['Known.'])
    expect((await mailbox.reading()).counts).toMatchObject({ replies: 1, bounces: 1 })
  })
})
