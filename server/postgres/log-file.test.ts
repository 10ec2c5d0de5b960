import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyInitializedFolder, query, startPostgres } from '../../tests/support/embedded.ts'
import { logFileAt } from './log-file.ts'

describe('the log of PostgreSQL', () => {
  it('is rotated above its size limit, while the server keeps writing', async () => {
    await using temporary = await copyInitializedFolder()
    await using postgres = await startPostgres(temporary.path)
    const path = join(temporary.path, 'postgres.log')
    const log = logFileAt(path)
    await log.trim()
    expect((await stat(path)).size).toBeGreaterThan(0)

    await appendFile(path, 'x'.repeat(4 * 1024 * 1024))
    await log.trim()
    expect((await stat(path)).size).toBe(0)
    expect((await stat(`${path}.1`)).size).toBeGreaterThan(4 * 1024 * 1024)
    for (const file of [path, `${path}.1`]) expect((await stat(file)).mode & 0o077).toBe(0)

    // A failed sign-in is a line of the log.
    await expect(query({ ...postgres.connection, password: 'wrong' }, 'select 1')).rejects.toThrow()
    const text = await readFile(path, 'utf8')
    expect(text).toMatch(/^\d{4}-.*password authentication failed/)
  })
})
