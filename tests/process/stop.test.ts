import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { fetchAsCurl, runCurl } from '../support/curl.ts'
import { findProcesses } from '../support/processes.ts'
import { launchServer, startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'

const keyOf = (server: ServerProcess) => /ck_[\w-]+/.exec(server.printed().out)![0]
const post = async (server: ServerProcess, path: string, body: object, token?: string) => {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

describe('a running server', () => {
  it('prints its address, a working sign-in, and a curl line that works as pasted', async () => {
    await using folder = await temporaryFolder()
    await using server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: join(folder.path, 'data') } })
    const { out } = server.printed()
    const [, email, password] = /email +(\S+)\n +password +(\S+)/.exec(out)!
    expect(await post(server, '/auth/login', { email, password })).toMatchObject({ status: 200 })
    const curl = out.split('\n').find((line) => line.includes('curl '))!
    expect((await runCurl(curl)) ?? (await fetchAsCurl(curl))).toMatchObject({
      message: 'Email sent successfully to 1 recipient',
    })
    await expect
      .poll(async () => {
        const inbox = await fetch(`${server.url}/sandbox/messages?to=you@example.com`)
        return (await inbox.json()) as unknown[]
      })
      .toMatchObject([{ subject: 'Hello world', text: 'It works, world.\n' }])
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('exits cleanly at %s, its database with it', async (signal) => {
    await using folder = await temporaryFolder()
    const server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: join(folder.path, 'data') } })
    expect(await findProcesses(folder.path)).not.toEqual([])
    expect(await server.end(signal)).toBe(0)
    expect(await findProcesses(folder.path)).toEqual([])
  })

  it('stops the processes that it started when it is interrupted during its start', async () => {
    await using folder = await temporaryFolder()
    const starting = launchServer({
      environment: { PORT: '0', DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'info' },
    })
    await expect.poll(() => findProcesses(folder.path), { interval: 20 }).not.toEqual([])
    starting.kill('SIGINT')
    expect(await starting.ended).toBe(0)
    expect(await findProcesses(folder.path)).toEqual([])
  })

  it('completes requests in flight before it exits, and refuses new ones meanwhile', async () => {
    const release = Promise.withResolvers<undefined>()
    const arrived = Promise.withResolvers<undefined>()
    const sink = await startSmtpSink({
      onMessage: async () => {
        arrived.resolve(undefined)
        return release.promise
      },
    })
    await using folder = await temporaryFolder()
    const environment = { PORT: '0', DATA_DIR: join(folder.path, 'data'), SMTP_ALLOW: `127.0.0.1:${sink.port}` }
    await using server = await startServerProcess({ environment })
    const [, email, password] = /email +(\S+)\n +password +(\S+)/.exec(server.printed().out)!
    const { body: session } = await post(server, '/auth/login', { email, password })
    const { body: config } = await post(
      server,
      '/email/config',
      {
        email_address: 'studio@northwind.example',
        provider: 'other',
        app_password: 'x',
        smtp_host: '127.0.0.1',
        smtp_port: sink.port,
        smtp_security: 'none',
      },
      session['access_token'],
    )
    await post(server, `/api/send-mail/${config['secret_key']}`, {
      recipient_list: ['a@example.com'],
      subject: 's',
      content: 'c',
    })
    await arrived.promise
    const ended = server.end('SIGTERM')
    await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(503)
    expect(
      await post(server, `/api/send-mail/${keyOf(server)}`, {
        recipient_list: ['b@example.com'],
        subject: 's',
        content: 'c',
      }),
    ).toMatchObject({ status: 503 })
    release.resolve(undefined)
    expect(await ended).toBe(0)
    expect(sink.recipients()).toEqual(['a@example.com'])
    await using again = await startServerProcess({ environment })
    const states = await fetch(`${again.url}/ready`)
    expect(states.status).toBe(200)
    await again.end('SIGTERM')
    expect(sink.recipients()).toEqual(['a@example.com'])
    await sink.close()
  })

  it('continues after a kill, on the same database', async () => {
    await using folder = await temporaryFolder()
    const environment = { PORT: '0', DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'info' }
    const first = await startServerProcess({ environment })
    const key = keyOf(first)
    await first.end('SIGKILL')
    expect(await findProcesses(folder.path)).not.toEqual([])
    await using second = await startServerProcess({ environment })
    expect(keyOf(second)).toBe(key)
    expect(second.printed().err).toContain('"adopted":true')
    await second.end('SIGTERM')
    expect(await findProcesses(folder.path)).toEqual([])
  })
})
