import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGlobalTemplates } from '../../client/mail/global-templates.ts'
import { createHostedSession } from '../../client/hosted/hosted-session.ts'
import { createDocument, deleteDocument, listDocuments, updateDocument } from '../../client/hosted/hosted.ts'
import { buildLibrary } from '../../commands/build/library.ts'
import type { LibraryTemplate } from '../../library/template.ts'
import { makeHostedKey } from '../support/hosted.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: { path: string } & AsyncDisposable
let libraryFile: string
let library: LibraryTemplate[]
/** The first server's database outlives the others, which start on it one after the other. */
let server: TestServer
let environment: Record<string, string>

beforeAll(async () => {
  folder = await temporaryFolder()
  await buildLibrary(folder.path)
  libraryFile = join(folder.path, 'index.json')
  library = JSON.parse(await readFile(libraryFile, 'utf8')) as LibraryTemplate[]
  environment = { WORKERS: '0', SECRET_KEY_FILE: join(folder.path, 'secret.key') }
  server = await startTestServer(environment, { libraryFile })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
const sessionOf = (at: TestServer, apiKey: string) => createHostedSession({ apiBase: at.url, apiKey, storage })
const operatorOf = async (at: TestServer) => sessionOf(at, (await makeHostedKey(server, 'write')).key)

/** A page session that this server issued. */
async function visit(at: TestServer) {
  const { text } = await at.call('GET', '/', { headers: { accept: 'text/html' } })
  const apiKey = /<meta name="sendwright-hosted-key" content="(hr_[\w-]{43})"/.exec(text)?.[1] ?? ''
  return sessionOf(at, apiKey)
}

/** Starts another release on the same database. */
async function startRelease(templates: LibraryTemplate[] | string): Promise<TestServer> {
  const file = join(folder.path, 'release.json')
  await writeFile(file, typeof templates === 'string' ? templates : JSON.stringify(templates))
  return startTestServer({ ...environment, DATABASE_URL: server.database.url }, { libraryFile: file })
}

const reworded = (template: LibraryTemplate): LibraryTemplate => ({
  ...template,
  data: { ...template.data, subject: `Reworded: ${template.data.subject}`, version: 'next' },
})

describe('the library of global templates', () => {
  it('GLOBAL-10 GLOBAL-11 GLOBAL-12 is available to every page after the first start: complete, in order, with its ids', async () => {
    const { items, totalCount } = await listDocuments(await visit(server), 'templates', { limit: 500 })
    expect(totalCount).toBe(library.length)
    expect(items.map(({ id, data }) => ({ id, data }))).toEqual(library)
    expect(items.every(({ id }) => id.startsWith('global-'))).toBe(true)
  })

  it('GLOBAL-09 cannot be changed by a page', async () => {
    const page = await visit(server)
    const id = library[0]!.id
    await expect(updateDocument(page, 'templates', id, { subject: 'x' })).rejects.toMatchObject({ status: 403 })
    await expect(deleteDocument(page, 'templates', id)).rejects.toMatchObject({ status: 403 })
    await expect(createDocument(page, 'templates', {})).rejects.toMatchObject({ status: 403 })
  })

  it('is upgraded when a new release starts: an operator’s changes and deletions are kept', async () => {
    const [changed, deleted, untouched, ...rest] = library as [LibraryTemplate, LibraryTemplate, LibraryTemplate]
    const operator = await operatorOf(server)
    await updateDocument(operator, 'templates', changed.id, { subject: 'In our own words' })
    await deleteDocument(operator, 'templates', deleted.id)
    const added: LibraryTemplate = { id: 'global-brand-new', data: { ...untouched.data, key: 'brand-new' } }
    await using next = await startRelease([...[changed, deleted, untouched].map(reworded), ...rest, added])
    const { items } = await listDocuments(await visit(next), 'templates', { limit: 500 })
    const subjects = new Map(items.map(({ id, data }) => [id, data['subject']]))
    expect(subjects.get(changed.id)).toBe('In our own words')
    expect(subjects.has(deleted.id)).toBe(false)
    expect(subjects.get(untouched.id)).toBe(`Reworded: ${untouched.data.subject}`)
    expect(items.at(-1)?.id).toBe('global-brand-new')
    expect(items).toHaveLength(library.length)
  })

  it.each([
    ['no JSON', '{'],
    ['no list', '{}'],
    ['an entry without a version', '[{"id":"global-x","data":{}}]'],
    ['an entry whose id is none', '[{"id":"../x","data":{"version":"1"}}]'],
  ])('that is %s does not stop a start, and changes nothing', async (_what, text) => {
    const before = await listDocuments(await visit(server), 'templates', { limit: 500 })
    await using next = await startRelease(text)
    expect(next.logged()).toContain('The library of templates cannot be used')
    expect(await listDocuments(await visit(next), 'templates', { limit: 500 })).toEqual(before)
  })
})

describe('the client’s list of global templates', () => {
  it("is live: an operator's additions, changes and deletions show without a reload, also after a lost connection", async () => {
    const sockets: WebSocket[] = []
    const templates = createGlobalTemplates(await visit(server), {
      random: () => 0,
      connect: (url) => {
        const socket = new WebSocket(url)
        sockets.push(socket)
        return socket
      },
    })
    const subjectOf = (id: string) => templates.state.items.find((item) => item.id === id)?.data['subject']
    const operator = await operatorOf(server)
    const stop = templates.start()
    try {
      await expect.poll(() => templates.state.status).toBe('ready')
      const { id } = await createDocument(operator, 'templates', { subject: 'Our own' }, { id: 'our-own' })
      await expect.poll(() => subjectOf(id)).toBe('Our own')
      sockets[0]!.close()
      await updateDocument(operator, 'templates', id, { subject: 'Changed meanwhile' })
      await expect.poll(() => subjectOf(id)).toBe('Changed meanwhile')
      expect(sockets).toHaveLength(2)
      await deleteDocument(operator, 'templates', id)
      await expect.poll(() => subjectOf(id)).toBeUndefined()
    } finally {
      stop()
    }
  })
})
