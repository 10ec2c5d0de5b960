import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as SidebarModule from '../../dashboard/shell/sidebar-items.ts'
import type * as SitePagesModule from '../../dashboard/site-pages.ts'
import type * as AccountsModule from '../support/accounts.ts'
import type * as TestServerModule from '../support/server.ts'
import { copyProject, type ProjectCopy } from '../support/project-copy.ts'
import { trialFiles, trialLines } from './trial-noun.ts'

let copy: ProjectCopy

beforeAll(async () => {
  copy = await copyProject()
  for (const [file, text] of Object.entries(trialFiles)) await copy.writeFile(file, text.trimStart())
  for (const [file, line] of Object.entries(trialLines)) await appendFile(join(copy.path, file), `${line}\n`)
})
afterAll(() => copy[Symbol.asyncDispose]())

/** A module of the copy. */
const load = async <Module>(file: string) => (await import(pathToFileURL(join(copy.path, file)).href)) as Module

describe('a new noun with one table, four calls and one screen', () => {
  it('adds one line to each of three shared files', () => {
    expect(Object.values(trialLines).filter((line) => !line.includes('\n'))).toHaveLength(3)
  })

  it('has valid types', async () => {
    // The registry of screens would load every screen.
    const registries = Object.keys(trialLines).filter((file) => !file.startsWith('dashboard/'))
    const include = ['**/*.d.ts', 'server/http/core/app.ts', ...Object.keys(trialFiles), ...registries]
    await copy.writeFile('tsconfig.noun.json', JSON.stringify({ extends: './tsconfig.json', include }))
    expect(await copy.run('typescript/bin/tsc', ['-p', 'tsconfig.noun.json'])).toEqual({ code: 0, output: '' })
  })

  it('is served: its calls read and write its table, with its error codes and in the API description', async () => {
    const generate = ['generate', '--config', 'server/store/drizzle.config.ts', '--name', 'notes']
    const { code, output } = await copy.run('drizzle-kit/bin.cjs', generate)
    expect(code, output).toBe(0)
    const { startTestServer } = await load<typeof TestServerModule>('tests/support/server.ts')
    const { createUser } = await load<typeof AccountsModule>('tests/support/accounts.ts')
    await using server = await startTestServer()
    const { token } = await createUser(server)
    const call = (method: string, path: string, body?: object) =>
      server.call(method, `/email/notes${path}`, { token, ...(body && { body }) })
    const { status, body: note } = await call('POST', '', { text: 'Call the printer' })
    expect([status, note.text]).toEqual([201, 'Call the printer'])
    expect((await call('GET', '')).body).toEqual([note])
    expect((await call('GET', `/${note.id}`)).body).toEqual(note)
    expect((await call('DELETE', `/${note.id}`)).status).toBe(204)
    expect((await call('GET', `/${note.id}`)).body).toEqual({ detail: 'No note has this id.' })
    const { body: description } = await server.call('GET', '/openapi.json')
    expect(Object.keys(description.paths['/email/notes']).sort()).toEqual(['get', 'post'])
  })

  it('has a page and an entry in the sidebar', async () => {
    const { sitePages } = await load<typeof SitePagesModule>('dashboard/site-pages.ts')
    expect(sitePages.map(({ path }) => path)).toContain('/dashboard/notes')
    const { sidebarItems } = await load<typeof SidebarModule>('dashboard/shell/sidebar-items.ts')
    expect(sidebarItems.find(({ path }) => path === '/dashboard/notes')).toMatchObject({ text: 'Notes' })
  })
})
