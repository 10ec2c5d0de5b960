import { beforeAll, expect, it } from 'vitest'
import { importCalls } from '../../../tests/support/import-calls.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'
import { authorizeAll } from '../../domain/auth/authorize.ts'
import { openDatabase } from '../core/database.ts'
import { createImportStore } from './import.ts'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

const { call, upload, importText } = importCalls(
  () => server,
  () => user.token,
)

it('the file of an import is deleted 7 days after the import ended, when no other import needs it', async () => {
  const bytes = `email\n${user.email}\n`
  const { id } = await importText(bytes)
  const other = await upload(`${bytes}b@example.org\n`)
  const files = async () =>
    (
      await server.sql('select 1 from blobs b join imports i on i.file_sha256 = b.sha256 where i.id = any($1)', [
        [id, other.id],
      ])
    ).length
  const database = openDatabase({ url: server.database.url }, () => undefined)
  const prune = async () =>
    createImportStore(database).prune(authorizeAll({ kind: 'system', task: 'test' }), new Date())
  await server.sql("update imports set finished_at = now() - interval '6 days' where id = $1", [id])
  await prune()
  expect(await files()).toBe(2)
  await server.sql("update imports set finished_at = now() - interval '8 days' where id = $1", [id])
  await prune()
  await database.close()
  expect(await files()).toBe(1)
  expect((await call('GET', `/email/imports/${id}`)).body.state).toBe('done')
  await server.sql("update imports set state = 'failed' where id = $1", [id])
  const resumed = await call('POST', `/email/imports/${id}/start`)
  expect([resumed.status, resumed.body.detail[0].msg]).toEqual([422, expect.stringContaining('Import the file again')])
})
