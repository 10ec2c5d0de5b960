import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { errors } from '../../contract/core/errors.ts'
import { listMaxCount } from '../../contract/core/limits.ts'
import { hasEnded } from '../../server/postgres/postmaster.ts'
import { findProcesses } from '../support/processes.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const wait = { interval: 100 }

/** The process of the server's own PostgreSQL. */
async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function send(server: ServerProcess, to: string): Promise<number> {
  const key = /ck_[\w-]+/.exec(server.printed().out)![0]
  const response = await fetch(`${server.url}/api/send-mail/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipient_list: [to], subject: 'Hello', content: 'Good morning.' }),
  })
  await response.arrayBuffer()
  return response.status
}

const callCount = 400
const callerCount = 8

/** The messages of the demo workspace. */
async function listMessages(server: ServerProcess): Promise<{ subject: string }[]> {
  const [, email, password] = /email +(\S+)\s+password +(\S+)/.exec(server.printed().out)!
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token } = (await login.json()) as { access_token: string }
  const query = `limit=${listMaxCount}`
  const list = await fetch(`${server.url}/email/messages?${query}`, { headers: { authorization: `Bearer ${token}` } })
  return (await list.json()) as { subject: string }[]
}

const inbox = async (server: ServerProcess, to: string) =>
  (await (await fetch(`${server.url}/sandbox/messages?to=${to}`)).json()) as unknown[]

describe('a running server whose own PostgreSQL exits', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)('by %s restarts it, and continues to accept and send', async (signal) => {
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    await using server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: dataDir } })
    expect(await send(server, 'before@example.com')).toBe(200)
    await expect.poll(() => inbox(server, 'before@example.com'), wait).toHaveLength(1)
    const first = await postmaster(dataDir)
    process.kill(first, signal)
    await expect.poll(() => hasEnded(first), wait).toBe(true)
    await expect.poll(() => send(server, 'after@example.com'), wait).toBe(200)
    await expect.poll(() => postmaster(dataDir), wait).not.toBe(first)
    await expect.poll(() => inbox(server, 'before@example.com'), wait).toHaveLength(1)
    await expect.poll(() => inbox(server, 'after@example.com'), wait).not.toEqual([])
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await findProcesses(folder.path)).toEqual([])
  })

  it('returns 200 or 503; calls with an Idempotency-Key are repeated until 200, and each creates one message', async () => {
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    const environment = { PORT: '0', DATA_DIR: dataDir, CALLS_PER_SECOND: '0' }
    await using server = await startServerProcess({ environment })
    const key = /ck_[\w-]+/.exec(server.printed().out)![0]
    const calls = Array.from({ length: callCount }, (_, at) => `call-${at}`)
    const statuses = new Set<number>()
    let doneCount = 0
    /** Repeats a call until it is accepted. */
    const sendOnce = async (name: string) => {
      for (;;) {
        const response = await fetch(`${server.url}/api/send-mail/${key}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': name },
          body: JSON.stringify({ recipient_list: [`${name}@example.com`], subject: name, content: 'Good morning.' }),
        })
        const { detail } = (await response.json()) as { detail?: string }
        statuses.add(response.status)
        if (response.status === 200) break
        expect([response.status, detail]).toEqual([503, errors.database_away.sentence])
        await sleep(Number(response.headers.get('retry-after')) * 100)
      }
      doneCount++
    }
    const calling = Promise.all(
      Array.from({ length: callerCount }, async (_, caller) => {
        for (let at = caller; at < callCount; at += callerCount) await sendOnce(calls[at]!)
      }),
    )
    for (const part of [0.3, 0.6]) {
      await expect.poll(() => doneCount, { ...wait, interval: 5 }).toBeGreaterThan(callCount * part)
      process.kill(await postmaster(dataDir), 'SIGKILL')
    }
    await calling
    expect([...statuses].sort()).toEqual([200, 503])
    const accepted = await listMessages(server)
    expect(accepted.map(({ subject }) => subject).sort()).toEqual(calls.sort())
    expect(server.printed().out).not.toMatch(/"level":(50|60)/)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('during a shutdown leaves no process behind', async () => {
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    await using server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: dataDir } })
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await server.end('SIGTERM')
    await expect.poll(() => findProcesses(folder.path), wait).toEqual([])
  })
})
