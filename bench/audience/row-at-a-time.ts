import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FieldDefinition } from '../../server/domain/contacts/field-value.ts'
import { createRowReader } from '../../server/domain/imports/mapping.ts'
import { lockDataFolder } from '../../server/postgres/data-folder-lock.ts'
import { startEmbeddedPostgres } from '../../server/postgres/start.ts'
import { openDatabase } from '../../server/store/core/database.ts'
import { migrate } from '../../server/store/core/migrate.ts'
import { previewFile, readPieces, suggestFor } from '../../server/usecases/imports/import-file.ts'
import { scopeOf } from '../../tests/support/scope.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'

const rowsPerTransaction = 10_000
const format = { encoding: 'utf-8', delimiter: ',', hasHeader: true } as const
const log = { info: () => undefined, warn: () => undefined }

const upsertSql = `
  insert into contacts (workspace_id, email, email_key, fields, source, created_at, updated_at)
  values ($1, $2, $3, $4, 'import', $5, $5)
  on conflict (workspace_id, email_key)
  do update set fields = contacts.fields || excluded.fields, updated_at = excluded.updated_at`

/**
 * An import as most programs have it: the same reader, then one prepared upsert for each row, 10,000 in a transaction, into the
 * same table with the same indexes. Rows a second.
 */
export async function importRowAtATime(file: Buffer): Promise<number> {
  await using folder = await temporaryFolder()
  const lock = await lockDataFolder(join(folder.path, 'postgres'))
  const postgres = await startEmbeddedPostgres({ folder: lock, log })
  const database = openDatabase(postgres.connection, () => undefined)
  try {
    await migrate(database.pool)
    const workspaceId = randomUUID()
    await database.pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Bench'])
    const { targets, fields } = plan(file)
    const read = createRowReader(targets, fields)
    const client = await database.pool.connect()
    const startedAt = performance.now()
    let count = 0
    const at = new Date()
    await client.query('begin')
    for await (const { rows } of readPieces({ read: () => inPieces(file) }, scopeOf(workspaceId), file, format)) {
      for (const { line, cells } of rows) {
        const found = read(line, cells)
        if (!found.ok) throw new Error(found.reason)
        const { email, key, fields: values } = found.row
        await client.query({ name: 'upsert', text: upsertSql, values: [workspaceId, email, key, values, at] })
        count += 1
        if (count % rowsPerTransaction === 0) await client.query('commit; begin')
      }
    }
    await client.query('commit')
    const rate = (count * 1000) / (performance.now() - startedAt)
    client.release()
    return rate
  } finally {
    await database.close()
    await postgres.stop()
    await lock.release()
  }
}

async function* inPieces(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 2 ** 20) yield await Promise.resolve(file.subarray(at, at + 2 ** 20))
}

/** The columns as the wizard suggests them; fields that do not exist get a number. */
function plan(file: Buffer) {
  const fields = new Map<number, FieldDefinition>()
  const targets = suggestFor(previewFile(file.subarray(0, 2 ** 20), format), []).map((target, column) => {
    if (target.kind !== 'new_field') return target
    const no = column + 1
    fields.set(no, { no, key: target.key, label: target.label, type: target.type, choices: [] })
    return { kind: 'field' as const, no, ...(target.style && { style: target.style }) }
  })
  return { targets, fields }
}
