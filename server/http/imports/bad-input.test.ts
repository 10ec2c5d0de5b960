import { beforeEach, describe, expect, it } from 'vitest'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { errors } from '../../../contract/core/errors.ts'
import { importCalls } from '../../../tests/support/import-calls.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})
const { call, upload, choose, check, settle, importText, values, refused } = importCalls(
  () => server,
  () => user.token,
)

describe('a file with', () => {
  it.each([
    ['UTF-16, little-endian, without a byte order mark', 'utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
    [
      'UTF-16, big-endian, with a byte order mark',
      'utf-16be',
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    ],
    ['UTF-8 and a byte order mark', 'utf-8', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['Windows-1252', 'windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])('%s is read', async (_title, encoding, encode) => {
    const file = encode('email,first name\njoerg@example.org,Jörg Müßig\n')
    expect((await upload(file)).encoding).toBe(encoding)
    await importText(file)
    expect(await values()).toEqual([['joerg@example.org', { first_name: 'Jörg Müßig' }]])
  })

  it('an encoding that was detected wrongly is read by the one that is chosen', async () => {
    // Two bytes that are one letter in UTF-8 and two in Windows-1252.
    const { id, encoding, preview } = await upload('email,first name\na@example.org,Zoë\n')
    expect([encoding, preview[0]?.[1]]).toEqual(['utf-8', 'Zoë'])
    const other = (await choose(id, { encoding: 'windows-1252' })).body as Import
    expect(other.preview[0]?.[1]).toBe('ZoÃ«')
  })

  it('a quoted cell of 200 MB is refused with the line where it begins, within the memory of a cell', async () => {
    const rows = 'a@example.org,x\n'.repeat(20_000)
    const file = Buffer.from(`email,note\n${rows}b@example.org,"${'x'.repeat(200 * 2 ** 20)}"\nc@example.org,x\n`)
    const { id } = await upload(file)
    await choose(id, { targets: [{ kind: 'email' }, { kind: 'skip' }] })
    const before = process.memoryUsage().rss
    const { state, error } = await check(id)
    expect([state, error]).toEqual([
      'mapping',
      'A cell that begins in line 20002 is longer than 64 KiB. Check whether its quote is closed, then upload the file again.',
    ])
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20)
    expect(await values()).toEqual([])
  })

  it('10,000 columns is refused with the limit', async () => {
    const { error } = await upload(`${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n`)
    expect(error).toContain('more than 1,000 columns')
  })

  it('rows of unequal length has empty values for missing cells, and refuses cells beyond the columns', async () => {
    const others = Array.from({ length: 250 }, (_, at) => `p${at}@example.org\n`).join('')
    const { id, counts } = await importText(
      `email,first name,last name\na@example.org\nc@example.org,C,Cee,,\n${others}b@example.org,B,Bee,,,extra\n`,
    )
    expect(counts).toMatchObject({ added: 252, refused: 1 })
    expect((await values()).slice(0, 2)).toEqual([
      ['a@example.org', {}],
      ['c@example.org', { first_name: 'C', last_name: 'Cee' }],
    ])
    expect(await refused(id)).toContain('254,The row has more cells than the header.,b@example.org,B,Bee,,,extra')
  })

  it('addresses in the spellings of mail programs takes those that are one address, and refuses the others', async () => {
    const { counts } = await importText(
      [
        'email',
        ' Ada@Example.org ',
        '"Lovelace, Ada" <ada2@example.org>',
        '<bo@example.org>',
        'müller@bücher.example',
        'two@example.org; three@example.org',
        'in side@example.org',
        'nothing',
        '@example.org',
      ].join('\n'),
    )
    expect(counts).toMatchObject({ added: 4, refused: 4 })
    expect((await values()).map(([email]) => email)).toEqual([
      'ada2@example.org',
      'Ada@example.org',
      'bo@example.org',
      'müller@xn--bcher-kva.example',
    ])
  })

  it('dates in six styles reads each column by its own style, and refuses a day that no calendar has', async () => {
    const { columns } = await upload(
      'email,a,b,c,d,e,f\nx@example.org,2026-03-31,2026/03/31,31.03.2026,31/03/2026,03/31/2026,31-03-2026\n',
    )
    expect(columns.slice(1).map(({ target }) => ('style' in target ? target.style : target.kind))).toEqual([
      'YYYY-MM-DD',
      'YYYY/MM/DD',
      'DD.MM.YYYY',
      'DD/MM/YYYY',
      'MM/DD/YYYY',
      'DD-MM-YYYY',
    ])
    const { counts } = await importText(
      'email,a,b,c,d,e,f\nx@example.org,2026-03-31,2026/03/31,31.03.2026,31/03/2026,03/31/2026,31-03-2026\n',
    )
    expect(counts).toMatchObject({ added: 1 })
    const day = '2026-03-31'
    expect((await values())[0]?.[1]).toEqual({ a: day, b: day, c: day, d: day, e: day, f: day })
  })

  it('numbers of more than 15 digits keeps them as text, and reads 1.234,5 by the chosen style', async () => {
    const { columns } = await upload('email,card,amount\na@example.org,1234567890123456,"1.234,5"\n')
    expect(columns.map(({ target, is_long_number }) => ['type' in target ? target.type : '', is_long_number])).toEqual([
      ['', false],
      ['text', true],
      ['number', false],
    ])
    await importText('email,card,amount\na@example.org,1234567890123456,"1.234,5"\n')
    expect((await values())[0]?.[1]).toEqual({ card: '1234567890123456', amount: 1234.5 })
  })
})

describe('the start of an import', () => {
  it('whose new field was made meanwhile by somebody else makes none of its fields', async () => {
    const { id } = await upload('email,city,zip\na@example.org,Bonn,53111\n')
    expect((await check(id)).state).toBe('checked')
    await call('POST', '/email/contact-fields', { key: 'zip' })
    const answer = await call('POST', `/email/imports/${id}/start`)
    expect([answer.status, answer.body.detail]).toEqual([409, errors.field_exists.sentence])
    const keys = ((await call('GET', '/email/contact-fields')).body as { key: string }[]).map(({ key }) => key)
    expect(keys).toEqual(['first_name', 'last_name', 'zip'])
    expect(((await call('GET', `/email/imports/${id}`)).body as Import).state).toBe('checked')
  })

  it('that is called twice at once starts it once', async () => {
    const { id } = await upload('email,city\na@example.org,Bonn\n')
    await check(id)
    const answers = await Promise.all([1, 2].map(() => call('POST', `/email/imports/${id}/start`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.detail).toBe(errors.import_state.sentence)
    expect((await settle(id)).counts).toMatchObject({ added: 1 })
  })
})

it('IMPORT-41 an import that meets a full disk is failed, and goes on where it stopped', async () => {
  const rows = Array.from({ length: 12_000 }, (_, at) => `person${at}@example.org`)
  const { id } = await upload(`email\n${rows.join('\n')}\n`)
  await check(id)
  // What PostgreSQL answers without space, at the second batch.
  await server.sql(`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception using errcode = 'disk_full', message = 'could not extend file: No space left on device'; end $$`)
  await server.sql(`create trigger full_disk before insert on contacts for each row
    when (new.email_key = 'person7000@example.org') execute function full_disk()`)
  await call('POST', `/email/imports/${id}/start`)
  const failed = await settle(id)
  expect([failed.state, failed.counts?.added, failed.error]).toEqual([
    'failed',
    5000,
    'The import stopped because the disk of the server is full. Free some space, then resume it.',
  ])
  await expect.poll(() => server.logged()).toContain('No space left on device')
  await server.sql('drop trigger full_disk on contacts')
  await server.sql('drop function full_disk')
  expect((await call('POST', `/email/imports/${id}/start`)).status).toBe(200)
  const { state, counts } = await settle(id)
  expect([state, counts?.added, counts?.unchanged]).toEqual(['done', 12_000, 0])
})
