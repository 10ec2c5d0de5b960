import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Import } from '../../contract/audience/imports/import.ts'
import { importChunkBytes } from '../../contract/audience/imports/import.limits.ts'
import type { ServerProcess } from './server-process.ts'

const pollMs = 50

/** Calls of a member of the demo workspace. */
export type Member = Awaited<ReturnType<typeof signIn>>

/** Signs in to the demo workspace of a server process. */
export async function signIn(server: ServerProcess) {
  const [, email, password] = /email {5}(\S+)\s+password {2}(\S+)/.exec(server.printed().out) ?? []
  const call = async (method: string, path: string, given: { token?: string; json?: object } = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(given.json && { 'content-type': 'application/json' }),
        ...(given.token !== undefined && { authorization: `Bearer ${given.token}` }),
      },
      ...(given.json && { body: JSON.stringify(given.json) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${await response.text()}`)
    return response
  }
  const session = await call('POST', '/auth/login', { json: { email, password } })
  const { access_token: token } = (await session.json()) as { access_token: string }
  return {
    token,
    url: server.url,
    /** The body of an answer, read to its end. */
    call: async <T>(method: string, path: string, json?: object): Promise<T> =>
      (await (await call(method, path, { token, ...(json && { json }) })).json()) as T,
    open: (path: string) => call('GET', path, { token }),
  }
}

/** Uploads a file and checks it; gives the id of an import that can start, and how long the check took. */
export async function prepareImport(
  { call, url, token }: Member,
  file: Buffer,
  choices: object = {},
): Promise<{ id: string; checkSeconds: number }> {
  const announced = { file_name: 'people.csv', size_bytes: file.length, sha256: sha256(file) }
  const { id } = await call<Import>('POST', '/email/imports', announced)
  for (let start = 0; start < file.length; start += importChunkBytes) {
    const piece = file.subarray(start, start + importChunkBytes)
    const response = await fetch(`${url}/email/imports/${id}/file`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${start}-${start + piece.length - 1}/${file.length}`,
      },
      body: new Uint8Array(piece),
    })
    if (!response.ok) throw new Error(`A piece of the file returned ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  await call('PATCH', `/email/imports/${id}`, choices)
  const startedAt = performance.now()
  await call('POST', `/email/imports/${id}/check`)
  await untilState({ call }, id, 'checked')
  return { id, checkSeconds: (performance.now() - startedAt) / 1000 }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const moving: ReadonlySet<string> = new Set(['checking', 'running', 'undoing'])

/** Waits for a state; throws where the import ends in another one. */
export async function untilState({ call }: Pick<Member, 'call'>, id: string, state: Import['state']): Promise<Import> {
  for (;;) {
    const record = await call<Import>('GET', `/email/imports/${id}`)
    if (record.state === state) return record
    if (!moving.has(record.state)) throw new Error(`The import is ${record.state}: ${record.error ?? ''}`)
    await sleep(pollMs)
  }
}
