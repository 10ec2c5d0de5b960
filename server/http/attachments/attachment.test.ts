import { randomBytes, randomUUID } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Upload } from '../../../contract/files/attachment.ts'
import { zip } from '../../../tests/support/archives.ts'
import { photo } from '../../../tests/support/image-files.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

const upload = (file: Buffer | string, filename: string, token = user.token) =>
  server.call('POST', `/email/attachments?filename=${encodeURIComponent(filename)}`, {
    token,
    raw: Buffer.from(file),
    headers: { 'content-type': 'application/octet-stream' },
  })
const uploaded = async (file: Buffer | string, filename: string): Promise<Upload> => {
  const answer = await upload(file, filename)
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return answer.body as Upload
}

let no = 0
const newAddress = () => `reader-${(no += 1)}@example.com`
const send = (to: string | string[], attachments: object[], more: object = {}) =>
  server.call('POST', `/api/send-mail/${user.secretKey}`, {
    body: {
      recipient_list: [to].flat(),
      subject: 'Files',
      content: '<p>See the files.</p>',
      is_html: true,
      attachments,
      ...more,
    },
  })
/** The mail to an address, as a mail program reads it. */
async function received(to: string) {
  const [mail] = await server.mailsTo(to)
  return simpleParser(
    Buffer.from(mail!.raw, 'base64').includes('MIME-Version')
      ? Buffer.from(mail!.raw, 'base64')
      : Buffer.from(mail!.raw),
  )
}
const filesOf = async (to: string) =>
  (await received(to)).attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content }))
const refusalOf = (answer: { status: number; body: { detail: { msg: string; type: string }[] } }) => [
  answer.status,
  answer.body.detail[0]?.type,
]

describe('a file of a send call', () => {
  it('ATTACHMENTS-10 A send call with a base64 attachment within the body limit of 1 MB delivers it.', async () => {
    const [to, file] = [newAddress(), randomBytes(600_000)]
    expect((await send(to, [{ filename: 'data.dat', content: file.toString('base64') }])).status).toBe(200)
    expect(await filesOf(to)).toEqual([
      { filename: 'data.dat', contentType: 'application/octet-stream', content: file },
    ])
    expect((await received(to)).html).toContain('See the files.')
    expect((await received(to)).text).toContain('See the files.')
  })

  it('ATTACHMENTS-11 POST /email/attachments answers `{upload_id, filename, size}`, and a send call that names the `upload_id` delivers that file.', async () => {
    const [to, file] = [newAddress(), await photo(40, 30)]
    const answer = await uploaded(file, 'photo.jpg')
    expect(answer).toEqual({ upload_id: expect.any(String) as string, filename: 'photo.jpg', size: file.length })
    expect((await send(to, [{ upload_id: answer.upload_id }])).status).toBe(200)
    expect(await filesOf(to)).toEqual([{ filename: 'photo.jpg', contentType: 'image/jpeg', content: file }])
  })

  it('ATTACHMENTS-12 A send call with an unknown or expired `upload_id`, or with another workspace’s, answers 422 and sends nothing.', async () => {
    const other = await createUser(server)
    const foreign = (await upload('theirs', 'a.txt', other.token)).body as Upload
    const expired = await uploaded('old', 'old.txt')
    await server.sql(`update uploads set expires_at = now() - interval '1 second' where id = $1`, [expired.upload_id])
    const to = newAddress()
    for (const id of [randomUUID(), 'x', foreign.upload_id, expired.upload_id]) {
      const answer = await send(to, [{ filename: 'ok.txt', content: 'b2s=' }, { upload_id: id }])
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'attachments', 1, 'upload_id']])
    }
    expect((await server.sql('select from deliveries where recipient = $1', [to])).length).toBe(0)
  })

  it('an upload is kept for seven days', async () => {
    const { upload_id: id } = await uploaded('kept', 'kept.txt')
    const age = (change: string) =>
      server.sql(`update uploads set expires_at = expires_at - interval '${change}' where id = $1`, [id])
    await age('7 days -1 minute')
    expect((await send(newAddress(), [{ upload_id: id }])).status).toBe(200)
    await age('1 minute')
    expect((await send(newAddress(), [{ upload_id: id }])).status).toBe(422)
  })

  it('ATTACHMENTS-08 File names in six scripts arrive as they were given.', async () => {
    const names = [
      'Übersicht größer.txt',
      'Отчёт за март.txt',
      '報告書 最終版.txt',
      'تقرير الربع الأول.txt',
      'รายงานประจำปี.txt',
      'प्रतिवेदन.txt',
      `${'長い名前'.repeat(30)}.txt`,
      'a "quoted"; name=1.txt',
    ]
    const to = newAddress()
    const files = names.map((filename) => ({ filename, content: Buffer.from(filename).toString('base64') }))
    expect((await send(to, files)).status).toBe(200)
    const got = await filesOf(to)
    expect(got.map(({ filename }) => filename)).toEqual(names.map((name) => name.normalize('NFC')))
    expect(got.map(({ content }) => content.toString())).toEqual(names)
    const raw = (await server.mailsTo(to))[0]!.raw
    expect(Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998)
  })

  it('ATTACHMENTS-09 Control and bidirectional characters are removed from a file’s name.', async () => {
    const to = newAddress()
    const name = '\u202Egnp\u0007.bill\r\n\u2066.txt'
    expect(
      (
        await send(to, [
          { filename: name, content: 'b2s=' },
          { filename: '../../etc/passwd', content: 'b2s=' },
        ])
      ).status,
    ).toBe(200)
    expect((await filesOf(to)).map(({ filename }) => filename)).toEqual(['gnp.bill.txt', 'passwd'])
  })

  it('with a text that is not base64 answers 422 and names the place', async () => {
    const answer = await send(newAddress(), [{ filename: 'a.txt', content: 'no base64!' }])
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'attachments', 0, 'content']])
  })

  it('goes with a plain text and with a large HTML too', async () => {
    const [plain, large] = [newAddress(), newAddress()]
    const file = { filename: 'a.txt', content: Buffer.from('hello').toString('base64') }
    await send(plain, [file], { is_html: false, content: 'Only text.' })
    await send(large, [file], { content: `<p>${'long text '.repeat(20_000)}</p>` })
    for (const to of [plain, large])
      expect((await filesOf(to)).map(({ content }) => content.toString())).toEqual(['hello'])
    expect((await received(plain)).text?.trim()).toBe('Only text.')
    expect((await received(large)).html).toContain('long text')
  })
})

describe('limits', () => {
  it('ATTACHMENTS-04 A file that would bring the total above 18 MB is refused with a sentence that names the limit, and the attachments already there stay.', async () => {
    const half = await uploaded(Buffer.alloc(9 * 1024 * 1024, 'a'), 'half.txt')
    const rest = await uploaded(Buffer.alloc(9 * 1024 * 1024 + 1, 'b'), 'rest.txt')
    const other = await uploaded(Buffer.alloc(9 * 1024 * 1024, 'c'), 'other.txt')
    expect((await send(newAddress(), [{ upload_id: half.upload_id }, { upload_id: other.upload_id }])).status).toBe(200)
    const both = await send(newAddress(), [{ upload_id: half.upload_id }, { upload_id: rest.upload_id }])
    expect(refusalOf(both)).toEqual([422, 'attachment_refused'])
    expect(both.body.detail[0].msg).toContain('18 MB')
    const large = await upload(Buffer.alloc(18 * 1024 * 1024 + 1, 'c'), 'large.txt')
    expect(refusalOf(large)).toEqual([422, 'attachment_refused'])
    expect(large.body.detail[0].msg).toContain('18 MB')
    const to = newAddress()
    expect((await send(to, [{ upload_id: half.upload_id }])).status).toBe(200)
    expect((await filesOf(to))[0]?.content.length).toBe(9 * 1024 * 1024)
  })

  it('ATTACHMENTS-05 A 21st attachment is refused with a sentence that names the limit.', async () => {
    const files = Array.from({ length: 21 }, (_file, at) => ({ filename: `${at}.txt`, content: 'b2s=' }))
    const answer = await send(newAddress(), files)
    expect(refusalOf(answer)).toEqual([422, 'attachment_refused'])
    expect(answer.body.detail[0].msg).toContain('20 attachments')
    const to = newAddress()
    expect((await send(to, files.slice(0, 20))).status).toBe(200)
    expect(await filesOf(to)).toHaveLength(20)
  })

  it('ATTACHMENTS-13 POST /email/attachments beyond the storage quota answers 422 storage_full.', async () => {
    const full = await createUser(server)
    expect((await upload('first', 'a.txt', full.token)).status).toBe(201)
    // 1 GB without six bytes is stored.
    await server.sql(
      `update blobs set size_bytes = $1 where sha256 = sha256('first') and workspace_id in
         (select workspace_id from uploads where filename = 'a.txt')`,
      [1_073_741_824 - 6],
    )
    expect(refusalOf(await upload('7 bytes', 'b.txt', full.token))).toEqual([422, 'storage_full'])
    expect((await upload('6bytes', 'b.txt', full.token)).status).toBe(201)
  })
})

const iso = Buffer.alloc(0x8001 + 5)
iso.write('CD001', 0x8001)

describe('a refused kind', () => {
  it.each<[string, string, Buffer]>([
    ['a Windows program', 'setup.exe', Buffer.from('MZ\x90\0')],
    ['a Windows program as a picture', 'photo.jpg', Buffer.from('MZ\x90\0')],
    ['a Linux program', 'tool', Buffer.from('\x7fELF\x02', 'latin1')],
    ['a macOS program', 'notes.pdf', Buffer.from('\xcf\xfa\xed\xfe\x07', 'latin1')],
    ['a shell script', 'list.txt', Buffer.from('#!/bin/sh\nrm -rf .')],
    ['JavaScript', 'page.js', Buffer.from('alert(1)')],
    ['PowerShell', 'run.PS1', Buffer.from('Get-Item')],
    ['a script with a dot at its end', 'run.vbs.', Buffer.from('x')],
    ['a disk image', 'disk.iso', Buffer.from('x')],
    ['a disk image as a picture', 'disk.png', iso],
    ['an archive that cannot be examined', 'a.rar', Buffer.from('Rar!\x1a\x07\x01\0', 'latin1')],
  ])(
    'ATTACHMENTS-06 An executable, a script or a disk image answers 422 attachment_refused, also under the name and type of a picture. (%s)',
    async (_what, filename, file) => {
      const answer = await upload(file, filename)
      expect(refusalOf(answer)).toEqual([422, 'attachment_refused'])
      expect(answer.body.detail[0].msg).toContain(filename)
      const inCall = await send(newAddress(), [{ filename, content: file.toString('base64') }])
      expect(refusalOf(inCall)).toEqual([422, 'attachment_refused'])
    },
  )

  it.each<[string, Buffer]>([
    ['a program', zip({ 'readme.txt': 'hi', 'bin/setup.exe': 'MZ' })],
    ['a program under another name', zip({ 'readme.txt': 'hi', 'photo.jpg': 'MZ\x90 and more' })],
    ['a script', zip({ 'install.bat': 'del' })],
    ['a password', zip({ 'readme.txt': 'hi' }, { isEncrypted: true })],
    ['no directory', zip({ 'readme.txt': 'hi' }).subarray(0, 40)],
  ])(
    'ATTACHMENTS-07 An archive that holds an executable, or that needs a password, answers 422 attachment_refused. (%s)',
    async (_what, file) => {
      expect(refusalOf(await upload(file, 'archive.zip'))).toEqual([422, 'attachment_refused'])
      expect(refusalOf(await upload(file, 'report.docx'))).toEqual([422, 'attachment_refused'])
    },
  )

  it('is none of the files of an office', async () => {
    for (const [filename, file] of [
      ['report.docx', zip({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' })],
      ['photos.zip', zip({ 'a.jpg': await photo(10, 10), 'b.txt': 'hello' })],
      ['plan.pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
      ['table.csv', Buffer.from('a,b\n1,2\n')],
    ] as const)
      expect((await upload(Buffer.from(file), filename)).status, filename).toBe(201)
  })
})

describe('campaigns and templates', () => {
  it('ATTACHMENTS-03 Each recipient of a campaign gets every attachment with the bytes that were uploaded.', async () => {
    await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Pier Road' } })
    const files = [randomBytes(300_000), await photo(50, 40)]
    const uploads = [await uploaded(files[0]!, 'a.dat'), await uploaded(files[1]!, 'b.jpg')]
    const { body: configs } = await server.call('GET', '/email/configs', { token: user.token })
    const people = Array.from({ length: 5 }, newAddress)
    const created = await server.call('POST', '/email/campaign', {
      token: user.token,
      body: {
        subject: 'News',
        body: '<p>News</p>',
        config_id: (configs as { id: string }[])[0]!.id,
        recipients: people,
        attachments: uploads.map(({ upload_id }) => ({ upload_id })),
      },
    })
    expect([created.status, created.body.attachments]).toEqual([
      201,
      [
        { filename: 'a.dat', size: 300_000 },
        { filename: 'b.jpg', size: files[1]!.length },
      ],
    ])
    const launched = await server.call('POST', `/email/campaign/${created.body.id}/launch`, {
      token: user.token,
      body: {},
    })
    expect([launched.status, launched.text]).toEqual([200, expect.any(String)])
    for (const to of people) expect((await filesOf(to)).map(({ content }) => content)).toEqual(files)
    // What is sent is fixed.
    const changed = await server.call('PATCH', `/email/campaign/${created.body.id}`, {
      token: user.token,
      body: { attachments: [] },
    })
    expect(changed.status).toBe(409)
  })

  it('ATTACHMENTS-15 A message made from a template with attachments carries them.', async () => {
    const { upload_id } = await uploaded('terms and conditions', 'terms.txt')
    const template = await server.call('POST', '/email/template', {
      token: user.token,
      body: { subject: 'Terms', body: '<p>Terms</p>', attachments: [{ upload_id }] },
    })
    expect(template.body.attachments).toEqual([{ filename: 'terms.txt', size: 20 }])
    await server.sql('delete from uploads where id = $1', [upload_id])
    const to = newAddress()
    const answer = await server.call('POST', `/api/send-mail/${user.secretKey}?template_key=${template.body.key}`, {
      body: { recipient_list: [to], subject: 'Terms', attachments: [{ filename: 'own.txt', content: 'b2s=' }] },
    })
    expect(answer.status).toBe(200)
    expect((await filesOf(to)).map(({ filename }) => filename)).toEqual(['own.txt', 'terms.txt'])
  })
})

it('no file name and no content is in the log', async () => {
  await uploaded('canary content', 'canary-name.txt')
  await upload('#!canary', 'canary-name.sh')
  expect(server.logged()).not.toContain('canary')
})
