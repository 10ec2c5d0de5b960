import { beforeEach, describe, expect, it } from 'vitest'
import type { ContactDetail } from '../../../contract/audience/contact.ts'
import type { Import, ImportTarget } from '../../../contract/audience/imports/import.ts'
import { errors } from '../../../contract/core/errors.ts'
import { importCalls } from '../../../tests/support/import-calls.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { type Answer, useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const pieceBytes = 1024 * 1024
const { call, announce, put, upload, settle, choose, check, run, importText, contacts, values, refused } = importCalls(
  () => server,
  () => user.token,
)
const code = ({ status, body }: Answer) => [status, body.detail]

describe('the file of an import', () => {
  it('IMPORT-04 in Windows-1252 with semicolons is detected, and the preview shows its umlauts', async () => {
    const csv = Buffer.from('E-Mail;Vorname;Ort\r\nmueller@example.org;Jürgen;"Köln\r\nPorz"\r\n', 'latin1')
    const { state, encoding, delimiter, has_header, columns, preview } = await upload(csv)
    expect({ state, encoding, delimiter, has_header }).toEqual({
      state: 'mapping',
      encoding: 'windows-1252',
      delimiter: ';',
      has_header: true,
    })
    expect(columns.map(({ header, target }) => [header, target.kind])).toEqual([
      ['E-Mail', 'email'],
      ['Vorname', 'field'],
      ['Ort', 'new_field'],
    ])
    expect(preview).toEqual([['mueller@example.org', 'Jürgen', 'Köln\r\nPorz']])
  })

  it('IMPORT-05 is shown again by another format that is chosen', async () => {
    const { id } = await upload('email;name\na@example.org;"x,y"\n')
    const answer = (await choose(id, { delimiter: ',', has_header: false })).body as Import
    expect(answer.preview).toEqual([['email;name'], ['a@example.org;"x', 'y"']])
    expect(((await choose(id, { delimiter: ';', has_header: true })).body as Import).preview).toEqual([
      ['a@example.org', 'x,y'],
    ])
  })

  it('IMPORT-19 goes on after its last stored piece, and is complete when the sum fits', async () => {
    const bytes = Buffer.from(`email\n${'a@example.org\n'.repeat(200_000)}`)
    const { id } = (await announce(bytes)).body as Import
    await put(id, bytes, 0)
    const interrupted = (await call('GET', `/email/imports/${id}`)).body as Import
    expect([interrupted.state, interrupted.received_bytes]).toEqual(['uploading', pieceBytes])
    await put(id, bytes, pieceBytes)
    expect(((await put(id, bytes, 2 * pieceBytes)).body as Import).state).toBe('mapping')
  })

  it('IMPORT-20 whose sum differs answers 422, and can be uploaded again', async () => {
    const bytes = Buffer.from('email\na@example.org\n')
    const { id } = (await announce(bytes)).body as Import
    const damaged = Buffer.from(bytes)
    damaged[7] = 0x62
    const answer = await put(id, damaged, 0)
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'checksum'])
    expect(((await put(id, bytes, 0)).body as Import).state).toBe('mapping')
  })

  it('IMPORT-21 of more than 2 GiB answers 413 before a byte is uploaded', async () => {
    expect((await announce(Buffer.from('x'), { size_bytes: 2 * 1024 ** 3 })).status).toBe(201)
    const answer = await announce(Buffer.from('x'), { size_bytes: 2 * 1024 ** 3 + 1 })
    expect(code(answer)).toEqual([413, errors.file_too_large.sentence])
  })

  it('IMPORT-22 whose encoding cannot be detected asks for it', async () => {
    const { id, encoding } = await upload(Buffer.from([0x89, 0x50, 0, 0, 0, 0x0d, 0, 0, 1, 0, 0, 0, 3, 0]))
    expect(encoding).toBeNull()
    const answer = await call('POST', `/email/imports/${id}/check`)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['encoding']])
  })

  it('IMPORT-27 with nothing but a header is refused with a sentence', async () => {
    const { id } = await upload('email,name\n')
    const answer = await call('POST', `/email/imports/${id}/check`)
    expect([answer.status, answer.body.detail[0].msg]).toEqual([
      422,
      'The file has no rows below its header. Choose another one.',
    ])
  })

  it.each([
    [
      'IMPORT-23 more than 1,000 columns',
      `email${',x'.repeat(1001)}\na@example.org\n`,
      'Line 1 has more than 1,000 columns',
    ],
    [
      'IMPORT-24 an unclosed quote',
      'email,name\na@example.org,x\nb@example.org,"y\nz\n',
      'A quote that begins in line 3',
    ],
    [
      'IMPORT-24 a cell of more than 64 KiB',
      `email,name\na@example.org,${'x'.repeat(65_537)}\n`,
      'A cell that begins in line 2',
    ],
  ])('%s is reported with its line', async (_title, csv, sentence) => {
    const { id } = await upload(csv)
    await choose(id, { targets: [{ kind: 'email' }] })
    const answer = await call('POST', `/email/imports/${id}/check`)
    const failed = answer.status === 200 ? await settle(id) : null
    expect(failed?.error ?? answer.body.detail[0].msg).toContain(sentence)
    const { state, error } = (await call('GET', `/email/imports/${id}`)).body as Import
    expect([state, error]).toEqual(['mapping', expect.stringContaining(sentence)])
  })

  it('IMPORT-42 of an unknown import, or of another workspace, answers 404', async () => {
    const { id } = await upload('email\na@example.org\n')
    const stranger = await createUser(server)
    for (const [path, token] of [
      ['/email/imports/99999', user.token],
      [`/email/imports/${id}`, stranger.token],
    ] as const) {
      for (const [method, rest, body] of [
        ['GET', ''],
        ['PATCH', '', {}],
        ['POST', '/check'],
        ['POST', '/start'],
        ['GET', '/refusals'],
      ] as const)
        expect(code(await call(method, path + rest, body, token)), method + rest).toEqual([
          404,
          errors.import_not_found.sentence,
        ])
    }
  })
})

describe('columns', () => {
  it('IMPORT-06 go to the address, a field, a new field of the inferred type, a list, or nowhere', async () => {
    const { id, columns } = await upload(
      'E-Mail,First name,Age,Since,Lists,\nada@example.org,Ada,36,2026-03-04,"News, Offers",x\nbo@example.org,Bo,41,2026-04-05,,y\n',
    )
    expect(columns.map(({ target }) => target)).toEqual([
      { kind: 'email' },
      { kind: 'field', no: 1 },
      { kind: 'new_field', key: 'age', label: 'Age', type: 'number', style: '1,234.5' },
      { kind: 'new_field', key: 'since', label: 'Since', type: 'date', style: 'YYYY-MM-DD' },
      { kind: 'new_field', key: 'lists', label: 'Lists', type: 'text' },
      { kind: 'skip' },
    ])
    const targets = columns.map(({ target }, at): ImportTarget => (at === 4 ? { kind: 'list' } : target))
    await choose(id, { targets })
    expect((await run(id)).counts).toMatchObject({ added: 2 })
    expect(await values()).toEqual([
      ['ada@example.org', { first_name: 'Ada', age: 36, since: '2026-03-04' }],
      ['bo@example.org', { first_name: 'Bo', age: 41, since: '2026-04-05' }],
    ])
    const { body: lists } = await call('GET', '/email/lists')
    expect((lists as { name: string; member_count: number }[]).map(({ name, member_count: n }) => [name, n])).toEqual([
      ['News', 1],
      ['Offers', 1],
    ])
  })

  it('IMPORT-07 with the same header are two columns and can go to different fields', async () => {
    const { columns } = await upload('email,note,note\na@example.org,x,y\n')
    expect(columns.slice(1).map(({ target }) => 'key' in target && [target.key, target.label])).toEqual([
      ['note', 'Note'],
      ['note_2', 'Note 2'],
    ])
  })

  it('with names of first and last names in other languages go to those fields, unless another column has the name', async () => {
    const targetsOf = async (header: string) =>
      (await upload(`${header}\na@example.org,${'x,'.repeat(4)}\n`)).columns
        .slice(1, 4)
        .map(({ target }) => ('no' in target ? target.no : 'label' in target && target.label))
    expect(await targetsOf('E-Mail,Vorname,Nachname,member_since,PLZ')).toEqual([1, 2, 'Member since'])
    expect(await targetsOf('email,Prénom,First name,Apellidos,Ort')).toEqual(['Prénom', 1, 2])
  })

  it('IMPORT-08 need one for the address, and take no second one', async () => {
    const { id } = await upload('email,name\na@example.org,x\n')
    const two = await choose(id, { targets: [{ kind: 'email' }, { kind: 'email' }] })
    expect([two.status, two.body.detail[0].loc]).toEqual([422, ['body', 'targets']])
    await choose(id, { targets: [{ kind: 'skip' }, { kind: 'field', no: 1 }] })
    const none = await call('POST', `/email/imports/${id}/check`)
    expect([none.status, none.body.detail[0].type]).toEqual([422, 'email'])
  })

  it('IMPORT-09 that can be read in two ways offer both, and are read as chosen', async () => {
    const { id, columns } = await upload('email,born,amount\na@example.org,04/03/1990,"1.234"\n')
    expect(columns.map(({ readings }) => readings.map(({ style }) => style))).toEqual([
      [undefined],
      ['DD/MM/YYYY', 'MM/DD/YYYY'],
      ['1,234.5', '1.234,5'],
    ])
    const targets: ImportTarget[] = [
      { kind: 'email' },
      { kind: 'new_field', key: 'born', label: 'Born', type: 'date', style: 'MM/DD/YYYY' },
      { kind: 'new_field', key: 'amount', label: 'Amount', type: 'number', style: '1.234,5' },
    ]
    await choose(id, { targets })
    await run(id)
    expect(await values()).toEqual([['a@example.org', { born: '1990-04-03', amount: 1234 }]])
  })
})

describe('the check of an import', () => {
  it('IMPORT-11 IMPORT-12 counts every row that is not empty, and writes nothing', async () => {
    await call('POST', '/email/suppressions', { emails: ['gone@example.org'] })
    await call('POST', '/email/contacts/batch', {
      contacts: [
        { email: 'same@example.org', fields: { first_name: 'Same' } },
        { email: 'other@example.org', fields: { first_name: 'Old' } },
      ],
    })
    const before = await contacts()
    const { id } = await upload(
      'email,first name,city\nnew@example.org,New,\nsame@example.org,Same,\nother@example.org,New,\nno address,x,\n\ngone@example.org,x,\nnew@example.org,Newer,\n',
    )
    const { state, counts } = await check(id)
    expect([state, counts]).toEqual([
      'checked',
      { added: 1, updated: 1, unchanged: 2, refused: 1, suppressed: 1, repeated: 1, empty: 1 },
    ])
    expect(await contacts()).toEqual(before)
    expect((await call('GET', '/email/contact-fields')).body).toHaveLength(2)
    expect((await refused(id)).split('\r\n')).toHaveLength(2)
  })
})

describe('an import', () => {
  it('IMPORT-28 IMPORT-29 IMPORT-30 skips empty rows, takes named addresses, and keeps the last of two rows with one address', async () => {
    const { counts } = await importText('email,first name\nAda <Ada@example.org>,A\n,\n\nada@example.org,Ada\n')
    expect(counts).toMatchObject({ added: 1, unchanged: 1, repeated: 1, empty: 2 })
    expect(await values()).toEqual([['ada@example.org', { first_name: 'Ada' }]])
  })

  it('IMPORT-31 IMPORT-33 IMPORT-34 refuses rows with their reason, and imports those after them', async () => {
    await call('POST', '/email/contact-fields', { key: 'color', type: 'choice', choices: ['red'] })
    await call('POST', '/email/contact-fields', { key: 'born', type: 'date' })
    const long = `${'a'.repeat(250)}@example.org`
    const { id, columns } = await upload(
      `email,color,born\na b@example.org,red,\n${long},red,\nc@example.org,blue,\nd@example.org,,31.02.2026\ne@example.org,red,28.02.2026\n`,
    )
    const targets = columns.map(({ target }, at): ImportTarget =>
      at === 2 && target.kind === 'field' ? { ...target, style: 'DD.MM.YYYY' } : target,
    )
    await choose(id, { targets })
    const { counts } = await run(id)
    expect(counts).toMatchObject({ added: 1, refused: 4 })
    expect(await values()).toEqual([['e@example.org', { color: 'red', born: '2026-02-28' }]])
    const lines = (await refused(id)).trim().split('\r\n')
    expect(lines[0]).toBe('line,reason,email,color,born')
    expect(lines[2]).toContain(`3,The address is too long`)
    expect(lines[3]).toBe('4,“color” takes one of its choices.,c@example.org,blue,')
    expect(lines[4]).toBe('5,"“born” takes a day of the calendar, written YYYY-MM-DD.",d@example.org,,31.02.2026')
  })

  it('IMPORT-32 keeps a formula as text', async () => {
    await importText('email,first name\na@example.org,=1+1\n')
    expect(await values()).toEqual([['a@example.org', { first_name: '=1+1' }]])
  })

  it('IMPORT-35 keeps the values of existing contacts in mode add, and changes them in mode add_and_update', async () => {
    await call('POST', '/email/contacts/batch', {
      contacts: [{ email: 'a@example.org', fields: { first_name: 'Old', last_name: 'L' } }],
    })
    const added = await importText('email,first name\na@example.org,New\nb@example.org,B\n', { mode: 'add' })
    expect(added.counts).toMatchObject({ added: 1, unchanged: 1, updated: 0 })
    expect((await values())[0]).toEqual(['a@example.org', { first_name: 'Old', last_name: 'L' }])
    const updated = await importText('email,first name\na@example.org,New\nb@example.org,B\n', {
      mode: 'add_and_update',
    })
    expect(updated.counts).toMatchObject({ added: 0, unchanged: 1, updated: 1 })
    expect((await values())[0]).toEqual(['a@example.org', { first_name: 'New', last_name: 'L' }])
  })

  it('IMPORT-36 leaves the status of people who get no mail as it was, and changes their fields', async () => {
    const reasons = ['bounced', 'complained', 'manual', 'unsubscribed']
    await call('POST', '/email/contacts/batch', {
      contacts: reasons.map((reason) => ({ email: `${reason}@example.org`, fields: { first_name: 'Old' } })),
    })
    for (const reason of reasons)
      await call('POST', '/email/suppressions', { emails: [`${reason}@example.org`], reason })
    // The address of no contact yet.
    await call('POST', '/email/suppressions', { emails: ['without@example.org'], reason: 'complained' })
    const { counts } = await importText(
      `email,first name\n${[...reasons, 'without'].map((name) => `${name}@example.org,New\n`).join('')}`,
    )
    expect(counts).toMatchObject({ added: 0, suppressed: 5, updated: 0, unchanged: 0 })
    expect((await contacts()).map(({ status, fields }) => [status, fields])).toEqual(
      [...reasons, 'complained'].map((reason) => [reason, { first_name: 'New' }]),
    )
  })

  it('IMPORT-13 IMPORT-37 keeps the consent for each contact, and creates none for an erased address', async () => {
    await server.sql(
      `insert into erased_addresses (workspace_id, address_hash, reason, at)
       select w.id, substr(sha256(w.address_salt || convert_to('gone@example.org', 'UTF8')), 1, 16), 'erased', now()
       from workspaces w join members m on m.workspace_id = w.id join users u on u.id = m.user_id where u.email = $1`,
      [user.email],
    )
    const { counts } = await importText('email\na@example.org\ngone@example.org\n', {
      consent: 'Trade fair 2026, list at the booth',
    })
    expect(counts).toMatchObject({ added: 1, suppressed: 1 })
    const [contact] = await contacts()
    const detail = (await call('GET', `/email/contacts/${contact?.id}`)).body as ContactDetail
    expect(detail.consents.map(({ kind, text }) => [kind, text])).toEqual([
      ['import', 'Trade fair 2026, list at the booth'],
    ])
  })

  it('brings its new contacts into a live segment', async () => {
    const rule = { field: 'email', op: 'contains', value: 'wanted' }
    const segment = await call('POST', '/email/segments', { name: 'Wanted', rule, is_live: true })
    const counted = async () => (await call('GET', `/email/segments/${segment.body.id}`)).body.member_count
    await expect.poll(counted, { interval: 100 }).toBe(0)
    await importText('email\nwanted.1@example.org\nother@example.org\nwanted.2@example.org\n')
    await expect.poll(counted, { interval: 100 }).toBe(2)
  })

  it('makes its contacts members of the chosen list', async () => {
    const { id: listId } = (await call('POST', '/email/lists', { name: 'News' })).body as { id: string }
    await importText('email\na@example.org\nb@example.org\n', { list_id: listId })
    expect((await call('GET', `/email/lists/${listId}`)).body.member_count).toBe(2)
  })

  it('DIGEST-12 writes no event per contact, where a contact that is added to the list by a call has one', async () => {
    const { id: listId } = (await call('POST', '/email/lists', { name: 'Counted' })).body as { id: string }
    await importText('email\nc@example.org\nd@example.org\n', { list_id: listId })
    await call('POST', '/email/contacts', { email: 'e@example.org', list_ids: [listId] })
    const joined = () =>
      server.sql(
        `select c.email from (
           select contact_id from events where detail ->> 'list_id' = $1
           union all select contact_id from event_inbox where detail ->> 'list_id' = $1
         ) e join contacts c on c.id = e.contact_id`,
        [listId],
      )
    await expect.poll(joined).toEqual([{ email: 'e@example.org' }])
    expect((await call('GET', `/email/lists/${listId}`)).body.member_count).toBe(3)
  })

  it('IMPORT-17 IMPORT-18 is started once, and only as it was checked', async () => {
    const { id } = await upload('email\na@example.org\n')
    expect(code(await call('POST', `/email/imports/${id}/start`))).toEqual([409, errors.import_state.sentence])
    await check(id)
    // Another file of the same size does not replace the one that was checked.
    expect(code(await put(id, Buffer.from('email\nb@example.org\n'), 0))).toEqual([409, errors.import_state.sentence])
    await choose(id, { mode: 'add' })
    expect(code(await call('POST', `/email/imports/${id}/start`))).toEqual([409, errors.import_state.sentence])
    await run(id)
    expect(code(await call('POST', `/email/imports/${id}/start`))).toEqual([409, errors.import_state.sentence])
    expect((await contacts()).map(({ email }) => email)).toEqual(['a@example.org'])
  })

  it('IMPORT-26 reads mixed line ends and NUL bytes, and refuses the row of an end inside a character', async () => {
    const csv = Buffer.concat([
      Buffer.from('email,first name\r\na@example.org,A\nb@example.org,B\0B\rc@example.org,C'),
      Buffer.from([0xc3]),
    ])
    const { id, counts } = await importText(csv)
    expect(counts).toMatchObject({ added: 2, refused: 1 })
    expect((await values()).map(([, fields]) => fields)).toEqual([{ first_name: 'A' }, { first_name: 'BB' }])
    expect(await refused(id)).toContain(
      '4,"“First name” has a character that cannot be read. Choose another text encoding',
    )
  })

  it('IMPORT-26 refuses the rows of another encoding in a UTF-8 file, and imports the others', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `p${at}@example.org,Zoë\n`).join('')
    const csv = Buffer.concat([
      Buffer.from(`email,first name\n${rows}`),
      Buffer.from('late@example.org,Zoë\nmüller@example.org,M\nlast@example.org,L\n', 'latin1'),
    ])
    const { id } = await upload(csv)
    await choose(id, { encoding: 'utf-8' })
    expect((await run(id)).counts).toMatchObject({ added: 3001, refused: 2 })
    expect(await refused(id)).toContain('3003,"The address has a character that cannot be read.')
  })

  it('IMPORT-40 runs beside another one with the same people, and each row of both arrives', async () => {
    const rows = (from: number) =>
      `email,first name\n${Array.from({ length: 6000 }, (_, at) => `p${from + at}@example.org,P`).join('\n')}\n`
    const ids = await Promise.all([upload(rows(0)), upload(rows(3000))])
    for (const { id } of ids) await check(id)
    await Promise.all(ids.map(({ id }) => call('POST', `/email/imports/${id}/start`)))
    const ended = await Promise.all(ids.map(({ id }) => settle(id)))
    expect(ended.map(({ state }) => state)).toEqual(['done', 'done'])
    const [{ count } = { count: 0 }] = await server.sql<{ count: string }>(
      'select count(*) from contacts where fields @> $1',
      [{ 1: 'P' }],
    )
    expect(Number(count)).toBe(9000)
  })

  it('IMPORT-38 taken back, leaves its contacts that got mail or joined a list since', async () => {
    const { id: listId } = (await call('POST', '/email/lists', { name: 'Later' })).body as { id: string }
    const done = await importText('email\nfresh@example.org\nmailed@example.org\njoined@example.org\n')
    await server.sql(`update contacts set last_sent_at = now() where email = 'mailed@example.org'`)
    await server.sql(
      `insert into list_members (workspace_id, list_id, contact_id, state, at)
       select workspace_id, $1, id, 'subscribed', now() + interval '1 second' from contacts where email = 'joined@example.org'`,
      [listId],
    )
    await call('POST', `/email/imports/${done.id}/undo`)
    expect(await settle(done.id)).toMatchObject({ state: 'undone', kept: 2 })
    expect((await values()).map(([email]) => email)).toEqual(['joined@example.org', 'mailed@example.org'])
  })

  it('IMPORT-38 IMPORT-39 is taken back: its contacts go, overwritten values return, and what changed since is kept', async () => {
    await call('POST', '/email/contacts/batch', {
      contacts: [
        { email: 'old@example.org', fields: { first_name: 'Old', last_name: 'L' } },
        { email: 'edited@example.org', fields: { first_name: 'Before' } },
      ],
    })
    const done = await importText(
      'email,first name\nold@example.org,New\nedited@example.org,New\nfresh@example.org,F\nused@example.org,U\n',
    )
    expect(done.counts).toMatchObject({ added: 2, updated: 2 })
    const daysLeft = (Date.parse(done.undo_until ?? '') - Date.now()) / 86_400_000
    expect(daysLeft).toBeCloseTo(30, 1)
    const people = await contacts()
    const idOf = (email: string) => people.find((contact) => contact.email === email)?.id
    for (const email of ['edited@example.org', 'used@example.org'])
      await call('PATCH', `/email/contacts/${idOf(email)}`, { fields: { first_name: 'By hand' } })
    expect((await call('POST', `/email/imports/${done.id}/undo`)).status).toBe(200)
    const undone = await settle(done.id)
    expect([undone.state, undone.kept]).toEqual(['undone', 2])
    expect(await values()).toEqual([
      ['edited@example.org', { first_name: 'By hand' }],
      ['old@example.org', { first_name: 'Old', last_name: 'L' }],
      ['used@example.org', { first_name: 'By hand' }],
    ])
    expect(code(await call('POST', `/email/imports/${done.id}/undo`))).toEqual([409, errors.import_state.sentence])
  })
})
