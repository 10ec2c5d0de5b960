import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSelfSigned } from '../../../tests/support/certificate.ts'
import { startImapWorld, type ImapWorld, type ReadMailbox } from '../../../tests/support/inbox/imap-world.ts'
import { letter, reply, report } from '../../../tests/support/inbox/incoming.ts'
import {
  foldersOf,
  startScriptedImap,
  usualCapabilities,
  type ScriptedImap,
} from '../../../tests/support/inbox/scripted-imap.ts'
import { readingSentences } from '../../../contract/inbox/reading-sentences.ts'
import { errors } from '../../../contract/core/errors.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import { openDatabase } from '../../store/core/database.ts'
import { createInboxRetentionStore } from '../../store/inbox/inbox-retention.ts'

let world: ImapWorld
let secure: ScriptedImap
let clear: ScriptedImap
beforeAll(async () => {
  secure = await startScriptedImap({ certificate: createSelfSigned('localhost') })
  clear = await startScriptedImap()
  world = await startImapWorld({ IMAP_ALLOW: `127.0.0.1:${secure.port},127.0.0.1:${clear.port},127.0.0.1:9` })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await Promise.all([secure.close(), clear.close()])
})

const append = ({ imap }: ReadMailbox, mail: Buffer, folder = 'INBOX', at = new Date()) =>
  imap.store.append(folder, mail, at)
const subjectsOf = async (mailbox: ReadMailbox) => (await mailbox.replies()).map(({ subject }) => subject)

describe('what is read', () => {
  it('READING-03 a bounce or reply that lay in the mailbox before the switch has no effect and appears nowhere', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    append(mailbox, reply(left))
    append(mailbox, report(left))
    append(mailbox, report(left), 'Junk')
    await mailbox.turnOn()
    const later = await mailbox.send(undefined, 'Second night')
    append(mailbox, reply(later))
    await expect.poll(() => subjectsOf(mailbox)).toEqual(['Re: Second night'])
    expect(await mailbox.suppressions()).toEqual([])
    const { counts } = await mailbox.reading()
    expect(counts).toMatchObject({ seen: 1, bounces: 0, replies: 1 })
    const bounces = await world.server.sql(
      `select from events e join email_configs c on c.workspace_id = e.workspace_id where c.id = $1 and e.kind = 5
       union all select from event_inbox i join email_configs c on c.workspace_id = i.workspace_id where c.id = $1 and i.kind = 5`,
      [mailbox.id],
    )
    expect(bounces).toEqual([])
  })

  it('READING-04 the mailbox shows the folders that are read: INBOX, the junk folder and the sent folder; on a server that marks none and is not in the provider table, INBOX only', async () => {
    const marked = await world.mailbox()
    marked.imap.store = foldersOf(1, [
      ['INBOX', null],
      ['Elsewhere', null],
      ['Unerw&APw-nscht', String.raw`\Junk`],
      ['Gesendet', String.raw`\Sent`],
    ])
    await marked.turnOn()
    expect((await marked.reading()).folders.map(({ folder, role }) => `${role} ${folder}`)).toEqual([
      'inbox INBOX',
      'junk Unerwünscht',
      'sent Gesendet',
    ])
    const unmarked = await world.mailbox()
    unmarked.imap.store = foldersOf(1, [
      ['INBOX', null],
      ['Junk', null],
      ['Sent', null],
    ])
    await unmarked.turnOn()
    expect((await unmarked.reading()).folders.map(({ folder }) => folder)).toEqual(['INBOX'])
  })

  /** A mailbox with read, unread and flagged mails that is read twice: its state before and after, and what its server heard. */
  async function readTwice() {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    append(mailbox, reply(left))
    append(mailbox, letter('friend@example.net', 'Dinner', 'At eight?'))
    append(mailbox, report(left), 'Junk')
    append(mailbox, letter(mailbox.address, 'Dinner', 'Yes.'), 'Sent')
    mailbox.imap.store.append('INBOX', letter('friend@example.net', 'Read', 'Hi'), new Date(0), [String.raw`\Flagged`])
    const stateOf = (): [string, unknown[]][] =>
      [...mailbox.imap.store.folders.values()].map(({ name, mails }) => [
        name,
        mails.map(({ uid, flags, receivedAt }) => [uid, [...flags], receivedAt.toISOString()]),
      ])
    const before = stateOf()
    await mailbox.change({ reading: false })
    await expect.poll(() => mailbox.imap.openCount).toBe(0)
    await mailbox.turnOn()
    append(mailbox, reply(left, 'Once more.'))
    append(mailbox, report(left), 'Junk')
    await expect.poll(async () => (await mailbox.replies()).length).toBeGreaterThan(0)
    await mailbox.change({ reading: false })
    await expect.poll(() => mailbox.imap.openCount).toBe(0)
    return { before, after: stateOf(), imap: mailbox.imap }
  }

  it('READING-06 after reading, every mail of the mailbox has the same flags, folder and date as before, unread mails included', async () => {
    const { before, after } = await readTwice()
    expect(after.map(([name, mails], at) => [name, mails.slice(0, before[at]![1].length)])).toEqual(before)
    expect(after.flatMap(([, mails]) => mails).some((mail) => JSON.stringify(mail).includes('Seen'))).toBe(false)
  })

  it('READING-07 the IMAP server receives no other command than LOGIN, AUTHENTICATE, CAPABILITY, ID, ENABLE, LIST, EXAMINE, FETCH with PEEK, SEARCH, IDLE, NOOP and LOGOUT', async () => {
    const { imap } = await readTwice()
    const allowed =
      /^(LOGIN|AUTHENTICATE|CAPABILITY|ID|ENABLE|LIST|EXAMINE|UID FETCH|FETCH|UID SEARCH|SEARCH|IDLE|NOOP|LOGOUT|DONE)$/
    expect([...imap.commands()].filter((name) => !allowed.test(name))).toEqual([])
    expect(imap.lines.filter((line) => /FETCH.*BODY\[/i.test(line))).toEqual([])
    expect([...imap.commands()]).toEqual(expect.arrayContaining(['EXAMINE', 'UID FETCH', 'IDLE', 'LOGOUT']))
  })

  it('a reply that names only the id that the provider gave a mail is matched by the copy in the sent folder', async () => {
    const mailbox = await world.mailbox()
    await mailbox.turnOn()
    const left = await mailbox.send()
    const given = `<${left.messageId.slice(1, 9)}@provider.example>`
    const copy = `From: ${mailbox.address}\r\nTo: ${left.recipient}\r\nSubject: ${left.subject}\r\nMessage-ID: ${given}\r\nX-Sendwright-Id: ${left.messageId}\r\n\r\nCome at six.\r\n`
    append(mailbox, Buffer.from(copy), 'Sent')
    // A check reads all folders.
    await world.server.sql('update mailbox_readers set check_requested_at = now() where config_id = $1', [mailbox.id])
    await mailbox.seen(1)
    append(mailbox, reply({ ...left, recipient: 'assistant@example.net', subject: 'Something else', messageId: given }))
    await expect.poll(async () => (await mailbox.replies()).map(({ match }) => match)).toEqual(['id'])
  })

  it('a folder that appears later is read from then on: what lies in it has no effect', async () => {
    const mailbox = await world.mailbox()
    mailbox.imap.store = foldersOf(1, [['INBOX', null]])
    const [old, late] = [await mailbox.send(), await mailbox.send()]
    await mailbox.turnOn()
    mailbox.imap.store = foldersOf(1, [
      ['INBOX', null],
      ['Junk', String.raw`\Junk`],
    ])
    append(mailbox, report(old), 'Junk')
    mailbox.imap.drop()
    await expect
      .poll(async () => (await mailbox.reading()).folders.map(({ folder }) => folder), { timeout: 60_000 })
      .toContain('Junk')
    append(mailbox, report(late), 'Junk')
    await world.server.sql('update mailbox_readers set check_requested_at = now() where config_id = $1', [mailbox.id])
    await expect.poll(async () => (await mailbox.suppressions()).map(({ email }) => email)).toEqual([late.recipient])
  })

  it('READING-24 of two workspaces that read the same mailbox, each shows only answers to its own mails', async () => {
    const first = await world.mailbox()
    const second = await world.mailbox(first.imap)
    const [toFirst, toSecond] = [await first.send(undefined, 'From one'), await second.send(undefined, 'From two')]
    await first.turnOn()
    await second.turnOn()
    append(first, reply(toFirst))
    append(first, reply(toSecond))
    append(first, report(toSecond))
    await Promise.all([first.seen(3), second.seen(3)])
    expect([await subjectsOf(first), await subjectsOf(second)]).toEqual([['Re: From one'], ['Re: From two']])
    await expect.poll(async () => (await second.suppressions()).map(({ email }) => email)).toEqual([toSecond.recipient])
    expect(await first.suppressions()).toEqual([])
  })

  it('READING-25 a private mail in a mailbox that is read leaves no trace but a count: its sender, subject and text are in no API answer, export or log', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    const mails = [
      letter('zuleika@example.net', 'Qumran scrolls', 'Xanthippe is waiting.'),
      letter(
        'zuleika@example.net',
        'Undelivered Mail: Qumran',
        'Xanthippe',
        'Return-Path: <>\nX-Failed-Recipients: zuleika@example.net\n',
      ),
      letter('zuleika@example.net', 'Automatic reply: Qumran', 'Xanthippe', 'Auto-Submitted: auto-replied\n'),
    ]
    for (const mail of mails) append(mailbox, mail)
    append(mailbox, reply(left))
    await expect.poll(() => subjectsOf(mailbox)).toEqual(['Re: Doors open'])
    const { counts } = await mailbox.reading()
    expect(counts).toMatchObject({ seen: 4, matched: 1, unmatched_bounces: 1 })
    const answers = await Promise.all(
      [
        '/email/replies',
        '/email/replies?view=auto_reply',
        '/email/suppressions',
        '/contacts/',
        `/email/configs/${mailbox.id}/reading`,
        '/auth/export',
      ].map(async (path) => (await world.server.call('GET', path, { token: mailbox.token })).text),
    )
    const tables = await world.server.sql<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const rows = await Promise.all(
      tables.map(({ table_name: name }) =>
        world.server.sql(`select 1 as found from "${name}" as t where t::text ~* 'zuleika|qumran|xanthippe' limit 1`),
      ),
    )
    expect(rows.flat()).toEqual([])
    expect([...answers, world.server.logged()].filter((text) => /zuleika|qumran|xanthippe/i.test(text))).toEqual([])
  })

  it('READING-26 a mail of 100 MB, or with 1,000 levels of nesting, is passed over, and the mails after it are read', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    const head = Buffer.from(letter('big@example.net', 'Film', 'x', `In-Reply-To: <other@example.net>\n`))
    append(mailbox, Buffer.concat([head, Buffer.alloc(100 * 1024 * 1024, 'a')]))
    const levels = Array.from(
      { length: 1000 },
      (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
    )
    append(
      mailbox,
      Buffer.from(
        `From: deep@example.net\r\nSubject: Deep\r\n${levels.join('')}Content-Type: text/plain\r\n\r\nEnd\r\n`,
      ),
    )
    append(mailbox, letter('long@example.net', 'x'.repeat(1024 * 1024), 'A header line of 1 MB'))
    append(mailbox, reply(left, 'After them.'))
    await expect.poll(async () => (await mailbox.replies()).map((one) => one.first_words)).toEqual(['After them.'])
    expect((await mailbox.reading()).counts.seen).toBe(4)
    expect(mailbox.imap.connectionCount).toBeLessThanOrEqual(2)
    mailbox.imap.store.folders.get('INBOX')!.mails.length = 0
  })
})

describe('the switch', () => {
  it('READING-08 turning reading off ends the connection within 2 s; turned on again, it begins at that new moment', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    expect(mailbox.imap.openCount).toBe(1)
    const startedAt = performance.now()
    await mailbox.change({ reading: false })
    await expect.poll(() => mailbox.imap.openCount, { interval: 20 }).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(await mailbox.reading()).toMatchObject({ is_reading: false, state: 'off', since: null, folders: [] })
    append(mailbox, reply(left, 'While it was off.'))
    await mailbox.turnOn()
    append(mailbox, reply(left, 'Afterwards.'))
    await expect.poll(async () => (await mailbox.replies()).map((one) => one.first_words)).toEqual(['Afterwards.'])
    expect((await mailbox.reading()).counts.seen).toBe(1)
  })

  it('READING-09 turning reading on with refused credentials answers 400 imap_refused, with an unreachable host 400 imap_unreachable; reading stays off in both', async () => {
    const mailbox = await world.mailbox()
    mailbox.imap.refusal = 'NO [AUTHENTICATIONFAILED] Invalid credentials'
    const body = { reading: true, imap_host: '127.0.0.1', imap_port: mailbox.imap.port, imap_security: 'none' }
    expect(await mailbox.change(body)).toMatchObject({ status: 400, body: { detail: errors.imap_refused.sentence } })
    expect(await mailbox.reading()).toMatchObject({ is_reading: false, state: 'off' })
    const away = await mailbox.change({ ...body, imap_port: 9 })
    expect(away).toMatchObject({ status: 400, body: { detail: errors.imap_unreachable.sentence } })
    expect(await mailbox.reading()).toMatchObject({ is_reading: false, state: 'off' })
  })

  it('READING-10 turning reading on for a server without IMAP answers 422 imap_not_offered, and the row says so', async () => {
    const mailbox = await world.mailbox()
    // Nothing is known of IMAP: its host is derived from the mail server, which offers none.
    const answer = await mailbox.change({ reading: true })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'reading'], type: 'imap_not_offered', msg: readingSentences.noImap }] },
    })
    const { state, error, is_reading: isReading } = await mailbox.reading()
    expect({ state, isReading }).toEqual({ state: 'off', isReading: false })
    expect(error).toContain('offers no IMAP')
    await mailbox.turnOn()
    expect((await mailbox.reading()).error).toBeNull()
  })

  it.each([
    ['private', '10.0.0.7'],
    ['loopback', '127.0.0.1'],
    ['loopback by name', 'localhost'],
    ['link-local', '169.254.169.254'],
    ['mapped', '::ffff:127.0.0.1'],
  ])(
    'READING-11 an IMAP host with a private, loopback, link-local or mapped address is refused, and no byte is sent to it: %s',
    async (_kind, host) => {
      const mailbox = await world.mailbox(world.takeImap())
      let connectionCount = 0
      const listener = createServer(() => (connectionCount += 1)).listen(0, '127.0.0.1')
      await once(listener, 'listening')
      const { port: listened } = listener.address() as AddressInfo
      for (const [port, security] of [
        [993, 'tls'],
        [143, 'starttls'],
        [listened, 'tls'],
        [listened, 'starttls'],
      ] as const) {
        const answer = await mailbox.change({
          reading: true,
          imap_host: host,
          imap_port: port,
          imap_security: security,
        })
        expect(answer).toMatchObject({ status: 400, body: { detail: errors.imap_unreachable.sentence } })
      }
      expect(await mailbox.reading()).toMatchObject({ is_reading: false, state: 'off' })
      expect(connectionCount).toBe(0)
      listener.close()
    },
  )

  it('READING-12 an IMAP server with a wrong certificate, or without STARTTLS, receives no credentials', async () => {
    const mailbox = await world.mailbox()
    const body = { reading: true, imap_host: '127.0.0.1' }
    const wrong = await mailbox.change({ ...body, imap_port: secure.port, imap_security: 'tls' })
    expect(wrong).toMatchObject({ status: 400, body: { detail: errors.imap_unreachable.sentence } })
    const plain = await mailbox.change({ ...body, imap_port: clear.port, imap_security: 'starttls' })
    expect(plain).toMatchObject({ status: 400, body: { detail: errors.imap_unreachable.sentence } })
    expect(clear.connectionCount).toBe(1)
    for (const imap of [secure, clear])
      expect(imap.lines.filter((line) => /LOGIN|AUTH|app password/i.test(line))).toEqual([])
  })

  it('READING-27 deleting a mailbox while it is read ends its connection, and nothing of it is read afterwards', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    const { status } = await world.server.call('DELETE', `/email/configs/${mailbox.id}`, { token: mailbox.token })
    expect(status).toBeLessThan(300)
    await expect.poll(() => mailbox.imap.openCount).toBe(0)
    const connections = mailbox.imap.connectionCount
    append(mailbox, report(left))
    // Another mailbox is read meanwhile: the reader has had its turn.
    const other = await world.mailbox()
    const toOther = await other.send()
    await other.turnOn()
    append(other, reply(toOther))
    await expect.poll(() => subjectsOf(other)).toEqual(['Re: Doors open'])
    expect(mailbox.imap.connectionCount).toBe(connections)
    expect(await mailbox.suppressions()).toEqual([])
  })
})

describe('faults', () => {
  it('READING-18 when the mail server refuses the password during reading, the state becomes refused, no further sign-in is tried until the owner acts, and the row says what to do', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    mailbox.imap.refusal = 'NO [AUTHENTICATIONFAILED] Invalid credentials'
    mailbox.imap.drop('Password changed')
    await expect.poll(async () => (await mailbox.reading()).state).toBe('refused')
    expect((await mailbox.reading()).error).toContain('connect the mailbox again with a new app password')
    const count = mailbox.imap.logins().length
    const other = await world.mailbox()
    const toOther = await other.send()
    await other.turnOn()
    append(other, reply(toOther))
    await expect.poll(() => subjectsOf(other)).toEqual(['Re: Doors open'])
    expect(mailbox.imap.logins()).toHaveLength(count)
    expect(
      await world.server.sql('select from mailbox_readers where config_id = $1 and next_poll_at = $2', [
        mailbox.id,
        'infinity',
      ]),
    ).toHaveLength(1)
    append(mailbox, reply(left))
    mailbox.imap.refusal = null
    await mailbox.change({ reading: true })
    await expect.poll(() => subjectsOf(mailbox)).toEqual(['Re: Doors open'])
    expect(await mailbox.reading()).toMatchObject({ state: 'live', error: null })
  })

  it('READING-19 after BYE, throttling or a lost connection reading goes on by itself, and each mail that came meanwhile is taken exactly once', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    await mailbox.turnOn()
    const words = ['While it was away.', 'While it was busy.', 'While it was lost.', 'While it was read.']
    mailbox.imap.drop('Server shuts down')
    append(mailbox, reply(left, words[0]))
    await expect.poll(async () => (await mailbox.replies()).length).toBe(1)
    mailbox.imap.refusal = 'NO [ALERT] Too many simultaneous connections. (Failure)'
    mailbox.imap.drop()
    append(mailbox, reply(left, words[1]))
    const before = mailbox.imap.logins().length
    await expect.poll(() => mailbox.imap.logins().length).toBe(before + 1)
    mailbox.imap.refusal = null
    await expect.poll(async () => (await mailbox.replies()).length).toBe(2)
    mailbox.imap.drop()
    append(mailbox, reply(left, words[2]))
    await expect.poll(async () => (await mailbox.replies()).length).toBe(3)
    let isCut = false
    mailbox.imap.fault = (line, connection) => {
      if (isCut || !/FETCH .*BODY\.PEEK\[\]/.test(line)) return false
      isCut = true
      connection.write('* 1 FETCH (UID 4 BODY[]<0> {100000}\r\nFrom: ')
      connection.destroy()
      return true
    }
    append(mailbox, reply(left, words[3]))
    await expect.poll(async () => (await mailbox.replies()).length).toBe(4)
    expect(isCut).toBe(true)
    expect((await mailbox.replies()).map((one) => one.first_words).sort()).toEqual(words.sort())
    expect((await mailbox.reading()).counts.replies).toBe(4)
  })

  it('READING-20 a server without IDLE is polled, and the state says polling', async () => {
    const mailbox = await world.mailbox()
    mailbox.imap.capabilities = usualCapabilities.filter((name) => name !== 'IDLE')
    const left = await mailbox.send()
    await mailbox.turnOn()
    expect((await mailbox.reading()).state).toBe('polling')
    await expect.poll(() => mailbox.imap.openCount).toBe(0)
    append(mailbox, reply(left))
    // The time of the next poll, which is ten minutes away.
    const [row] = await world.server.sql<{ seconds: number }>(
      'select extract(epoch from next_poll_at - now())::float8 as seconds from mailbox_readers where config_id = $1',
      [mailbox.id],
    )
    expect(row!.seconds).toBeGreaterThan(500)
    expect(row!.seconds).toBeLessThan(700)
    await world.server.sql('update mailbox_readers set next_poll_at = now() where config_id = $1', [mailbox.id])
    await expect.poll(() => subjectsOf(mailbox)).toEqual(['Re: Doors open'])
    expect((await mailbox.reading()).state).toBe('polling')
    expect([...mailbox.imap.commands()]).not.toContain('IDLE')
  })

  it('READING-21 after a change of UIDVALIDITY no event appears twice, and a bounce that came in the last 14 days and was not yet taken is found', async () => {
    const mailbox = await world.mailbox()
    const left = await mailbox.send()
    const gone = await mailbox.send()
    await mailbox.turnOn()
    const known = reply(left)
    append(mailbox, letter('friend@example.net', 'Hello', 'x'))
    append(mailbox, known)
    await mailbox.seen(2)
    // The server gives new numbers, and has a bounce that was not read before.
    const moved = foldersOf(77, [
      ['INBOX', null],
      ['Junk', String.raw`\Junk`],
      ['Sent', String.raw`\Sent`],
    ])
    moved.append('INBOX', known, new Date())
    moved.append('INBOX', report(gone), new Date())
    mailbox.imap.store = moved
    mailbox.imap.drop()
    await expect.poll(async () => (await mailbox.suppressions()).map(({ email }) => email)).toEqual([gone.recipient])
    expect(await mailbox.replies()).toHaveLength(1)
    const events = await world.server.sql<{ kind: number }>(
      `select kind from events e join email_configs c on c.workspace_id = e.workspace_id
       where c.id = $1 and kind in (3, 5) order by kind`,
      [mailbox.id],
    )
    expect(events.map(({ kind }) => kind)).toEqual([3, 5])
  })
})

it('answers are kept as text for 13 months; their figures stay', async () => {
  const mailbox = await world.mailbox()
  const [old, recent] = [await mailbox.send(undefined, 'Old'), await mailbox.send(undefined, 'Recent')]
  await mailbox.turnOn()
  append(mailbox, reply(old))
  append(mailbox, reply(recent))
  await expect.poll(async () => (await mailbox.replies()).length).toBe(2)
  await world.server.sql(
    `update inbox_mails set created_at = now() - interval '13 months 1 day' where config_id = $1 and subject = 'Re: Old'`,
    [mailbox.id],
  )
  const database = openDatabase(world.server.database.connection, () => undefined)
  const retention = createInboxRetentionStore(database)
  expect(await retention.deleteMails(systemScope)).toBe(false)
  await retention.deleteRest(systemScope)
  await database.close()
  expect(await subjectsOf(mailbox)).toEqual(['Re: Recent'])
  expect((await mailbox.reading()).counts.replies).toBe(2)
})
