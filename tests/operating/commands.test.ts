import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createServerHome } from '../support/server-home.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Sends one mail with the demo's key and returns the response status. */
const send = async (url: string, key: string, recipient: string) => {
  const response = await fetch(`${url}/api/send-mail/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipient_list: [recipient], subject: 'Hi', content: 'Hello' }),
  })
  return response.status
}

const arrived = async (url: string, address: string) => {
  const response = await fetch(`${url}/sandbox/messages?to=${encodeURIComponent(address)}`)
  return ((await response.json()) as unknown[]).length
}

const keyOf = (printed: string) => /send-mail\/(ck_[\w-]+)/.exec(printed)?.[1] ?? ''

describe('the operator’s commands, on the embedded database', () => {
  it('back up and rotate under a running server, restore frozen into a new folder, and release', async () => {
    await using elsewhere = await temporaryFolder()
    const file = join(elsewhere.path, 'a.backup')
    await using home = await createServerHome({ WORKERS: '0' })
    const environment = { DATA_DIR: home.path }
    const server = await home.start()
    const key = keyOf(server.printed().out)
    expect(await send(server.url, key, 'bob@example.com')).toBe(200)

    const rotated = await runCommand('keys-rotate', [], environment)
    expect(rotated).toMatchObject({
      code: 0,
      err: expect.stringMatching(/secrets are under the key k\w{8} now/) as string,
    })
    expect(await send(server.url, key, 'ann@example.com')).toBe(200)

    const backup = await runCommand('backup', [file], environment)
    expect(backup).toMatchObject({ code: 0, err: expect.stringContaining('secret.key is not in it') as string })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(elsewhere.path)).toEqual(['a.backup'])
    const again = await runCommand('backup', [file], environment)
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('exists already') as string })
    const refused = await runCommand('restore', [file, '--replace'], environment)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('stop it first') as string })
    await server.end('SIGTERM')
    const streamed = await runCommand('backup', ['-'], environment)
    expect(streamed.code).toBe(0)
    expect(gunzipSync(streamed.out).toString()).toContain('demo@localhost')

    await using other = await createServerHome({})
    await copyFile(join(home.path, 'secret.key'), join(other.path, 'secret.key'))
    const restored = await runCommand('restore', [file], { DATA_DIR: other.path })
    expect(restored).toMatchObject({ code: 0, err: expect.stringContaining('2 mails wait') as string })
    const back = await other.start()
    expect(await send(back.url, key, 'new@example.com')).toBe(200)
    await expect.poll(() => arrived(back.url, 'new@example.com')).toBe(1)
    expect(await arrived(back.url, 'bob@example.com')).toBe(0)
    const released = await runCommand('queue-release', [], { DATA_DIR: other.path })
    expect(released).toMatchObject({ code: 0, err: '2 mails are released.\n' })
    for (const address of ['bob@example.com', 'ann@example.com']) {
      await expect.poll(() => arrived(back.url, address)).toBe(1)
    }
  })

  it('report each error in one sentence', async () => {
    await using folder = await temporaryFolder()
    const database = 'postgres://nobody:hunter2@127.0.0.1:1/none'
    const environment = { DATA_DIR: join(folder.path, 'data'), DATABASE_URL: database }
    await writeFile(join(folder.path, 'a'), 'x')
    const ends = [
      await runCommand('backup', [join(folder.path, 'b')], environment),
      await runCommand('backup', ['--fast'], environment),
      await runCommand('restore', [], environment),
      await runCommand('keys-rotate', ['--prepare'], environment),
    ]
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 1, 1])
    const output = ends.map(({ err }) => err)
    expect(output).toEqual([
      expect.stringMatching(/^The database cannot be reached.*npm run doctor[^\n]*\n$/),
      expect.stringMatching(/^Unknown option --fast[^\n]*\n$/),
      'Give the backup file: npm run restore -- file\n',
      expect.stringMatching(/^There is no key file [^\n]*\n$/),
    ])
    expect(output.join('')).not.toContain('hunter2')
    expect(await readdir(folder.path)).toEqual(['a', 'data'])
    expect(await readFile(join(folder.path, 'a'), 'utf8')).toBe('x')
  })
})
