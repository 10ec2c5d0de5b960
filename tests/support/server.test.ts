import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createTestDatabase } from './postgres.ts'
import { startTestServer } from './server.ts'
import { baseFolder } from './temporary-folder.ts'

it('a server that cannot start leaves neither its folder nor its database behind', async () => {
  // Those of this worker, which runs one file at a time.
  const folders = async () =>
    (await readdir(baseFolder)).filter((name) => name.startsWith(`sendwright server ${process.pid} `))
  const before = new Set(await folders())
  const database = await createTestDatabase()
  let dropCount = 0
  const counted = {
    ...database,
    drop: () =>
      database
        .drop()
        .then(() => (dropCount += 1))
        .then(() => undefined),
  }
  await expect(startTestServer({ PORT: 'no port' }, { database: counted })).rejects.toThrow('PORT')
  expect(dropCount).toBe(1)
  expect((await folders()).filter((name) => !before.has(name))).toEqual([])
})
