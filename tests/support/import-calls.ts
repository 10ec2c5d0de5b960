import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Contact } from '../../contract/audience/contact.ts'
import type { Import } from '../../contract/audience/imports/import.ts'
import { importChunkBytes } from '../../contract/audience/imports/import.limits.ts'
import type { TestServer } from './server.ts'

/** The calls of imports, as the member whose token `tokenOf` gives. */
export function importCalls(serverOf: () => TestServer, tokenOf: () => string) {
  const call = (method: string, path: string, body?: object, token = tokenOf()) =>
    serverOf().call(method, path, { token, ...(body && { body }) })

  const announce = (bytes: Buffer, given: object = {}) =>
    call('POST', '/email/imports', {
      file_name: 'people.csv',
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...given,
    })

  /** Uploads the piece that begins at `start`. */
  const put = (id: string, bytes: Buffer, start: number, total = bytes.length) => {
    const piece = bytes.subarray(start, start + importChunkBytes)
    return serverOf().call('PUT', `/email/imports/${id}/file`, {
      token: tokenOf(),
      raw: piece,
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${start}-${start + piece.length - 1}/${total}`,
      },
    })
  }

  async function upload(content: string | Buffer): Promise<Import> {
    const bytes = Buffer.from(content)
    let latest = (await announce(bytes)).body as Import
    for (let start = latest.received_bytes; start < bytes.length; start += importChunkBytes)
      latest = (await put(latest.id, bytes, start)).body as Import
    return latest
  }

  /** Follows the events of an import to their end. */
  async function settle(id: string): Promise<Import> {
    const { text } = await call('GET', `/email/imports/${id}/events`)
    const [, last = ''] = [...text.matchAll(/^data: (.*)$/gm)].at(-1) ?? []
    return JSON.parse(last) as Import
  }

  const choose = (id: string, choices: object) => call('PATCH', `/email/imports/${id}`, choices)

  async function check(id: string): Promise<Import> {
    const answer = await call('POST', `/email/imports/${id}/check`)
    expect(answer.status, answer.text).toBe(200)
    return settle(id)
  }

  async function run(id: string): Promise<Import> {
    expect((await check(id)).state).toBe('checked')
    expect((await call('POST', `/email/imports/${id}/start`)).status).toBe(200)
    return settle(id)
  }

  /** Uploads, checks and imports a file. */
  async function importText(content: string | Buffer, choices: object = {}): Promise<Import> {
    const { id } = await upload(content)
    await choose(id, choices)
    return run(id)
  }

  const contacts = async () => (await call('GET', '/email/contacts?sort=email&limit=500')).body as Contact[]

  return {
    call,
    announce,
    put,
    upload,
    settle,
    choose,
    check,
    run,
    importText,
    contacts,
    /** Addresses and fields of all contacts. */
    values: async () => (await contacts()).map(({ email, fields }) => [email, fields] as const),
    /** The refused rows as CSV. */
    refused: async (id: string) => (await call('GET', `/email/imports/${id}/refusals`)).text,
  }
}
