import { describe, expect, it } from 'vitest'
import { openRealtime } from '../support/hosted.ts'
import { createServerHome } from '../support/server-home.ts'
import { expectStartFailure, type FailedStart } from '../support/server-process.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()

const run = (environment: Record<string, string>, ...parameters: string[]): Promise<FailedStart> =>
  expectStartFailure({ environment, command: [process.execPath, 'commands/hosted-keys.ts', ...parameters] })
const keys = (...parameters: string[]) => run({ DATABASE_URL: server.database.url }, ...parameters)
const make = async (...parameters: string[]) => {
  const { code, out, err } = await keys('create', ...parameters)
  expect(code).toBe(0)
  return { apiKey: out.trim(), id: /Key ([\w-]{36})\./.exec(err)?.[1] ?? '' }
}

describe('the operator’s command for API keys', () => {
  it('creates a key that is valid at once, and prints it once: only its hash is stored', async () => {
    const { apiKey, id } = await make('write', 'newsletter', 'news', 'orders')
    expect(apiKey).toMatch(/^hw_[\w-]{43}$/)
    const create = (collection: string) =>
      server.call('POST', `/collections/documents?collection=${collection}`, {
        headers: { 'x-api-key': apiKey },
        body: { data: {} },
      })
    expect((await create('news')).status).toBe(201)
    expect((await create('templates')).status).toBe(403)
    const rows = await server.sql('select id, key_hash from hosted_keys')
    expect(JSON.stringify(rows)).not.toContain(apiKey.slice(3))
    const { out } = await keys('list')
    expect(out).toMatch(new RegExp(`^${id}\twrite\tnews,orders\t\\S+\tin use\tnewsletter$`, 'm'))
    expect(out).not.toContain(apiKey)
  })

  it('revokes one: calls with it fail at once, and its open websockets close', async () => {
    const { apiKey, id } = await make('read', 'website')
    const list = () => server.call('GET', '/collections/news/documents', { headers: { 'x-api-key': apiKey } })
    await using socket = await openRealtime(server.url, 'news', { key: apiKey })
    await socket.received(1)
    expect((await list()).status).toBe(200)
    expect(await keys('revoke', id)).toMatchObject({ code: 0, out: `Revoked ${id}.\n` })
    expect(await socket.closed).toBe(4401)
    expect((await list()).status).toBe(401)
    expect((await keys('list')).out).toMatch(new RegExp(`^${id}\tread\t\\*\t\\S+\trevoked \\S+\twebsite$`, 'm'))
    expect(await keys('revoke', id)).toMatchObject({ code: 1, err: expect.stringMatching(/^No key that is in use/) })
  })

  it.each([
    [[], 2, /^npm run hosted:keys -- list/],
    [['create', 'read', 'x', 'a/b'], 1, /^“a\/b” cannot be a collection/],
    [['revoke', 'x'], 1, /^No key that is in use has this id/],
  ])('explains the remedy after %j', async (parameters, code, sentence) => {
    const answer = await keys(...parameters)
    expect(answer).toMatchObject({ code, out: '', err: expect.stringMatching(sentence) })
  })

  it('reports an unreachable database in one sentence, without its password', async () => {
    const answer = await run({ DATABASE_URL: 'postgres://sendwright:hunter2@127.0.0.1:1/sendwright' }, 'list')
    expect(answer).toEqual({
      code: 1,
      out: '',
      err: 'The database cannot be used (ECONNREFUSED); check DATABASE_URL, and that it runs.\n',
    })
  })

  it('works beside a server with its embedded database, and without one', async () => {
    await using home = await createServerHome({ WORKERS: '0' })
    const environment = { DATA_DIR: home.path }
    expect(await run(environment, 'list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The database has no tables yet/),
    })
    const running = await home.start()
    const { out } = await run(environment, 'create', 'read', 'website')
    const listed = await fetch(`${running.url}/collections/news/documents`, { headers: { 'x-api-key': out.trim() } })
    expect(listed.status).toBe(200)
    await running.end('SIGTERM')
    const { code, out: list } = await run(environment, 'list')
    expect([code, list]).toEqual([0, expect.stringMatching(/\twebsite\n$/)])
  })
})
