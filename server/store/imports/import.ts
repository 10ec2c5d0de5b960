import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { ImportMode, TextEncoding } from '../../../contract/audience/imports/csv.ts'
import type { ImportState, ImportTarget } from '../../../contract/audience/imports/import.ts'
import type { Database } from '../core/database.ts'
import { selectList, selectListOf, setList } from '../core/sql.ts'
import { startImport, type ImportStart } from './start-import.ts'

export interface ImportRecord {
  id: number
  workspaceId: string
  fileSha256: Buffer
  fileName: string
  fileSizeBytes: number
  encoding: TextEncoding | null
  delimiter: string | null
  hasHeader: boolean | null
  /** Targets of the columns. */
  mapping: ImportTarget[] | null
  listId: number | null
  consentId: number | null
  consentText: string | null
  mode: ImportMode
  state: ImportState
  checkedSha256: Buffer | null
  byteOffset: number
  line: number
  added: number
  updated: number
  unchanged: number
  refused: number
  suppressed: number
  repeated: number
  empty: number
  kept: number
  createdAt: Date
  finishedAt: Date | null
  error: string | null
}

/** Condition of imports that need work and that no living process holds. `now`: an SQL expression. */
const dueSql = (now: string) =>
  `state in ('checking', 'running', 'undoing') and (lease_until is null or lease_until < ${now})`

const properties: readonly (keyof ImportRecord)[] = [
  'id',
  'workspaceId',
  'fileSha256',
  'fileName',
  'fileSizeBytes',
  'encoding',
  'delimiter',
  'hasHeader',
  'mapping',
  'listId',
  'consentId',
  'consentText',
  'mode',
  'state',
  'checkedSha256',
  'byteOffset',
  'line',
  'added',
  'updated',
  'unchanged',
  'refused',
  'suppressed',
  'repeated',
  'empty',
  'kept',
  'createdAt',
  'finishedAt',
  'error',
]
const columns = selectList<ImportRecord>(properties)

const listedMaxCount = 100
const keptDays = 30
/** After its import ended. */
const fileKeptDays = 7

/** What can be changed of an import. */
export type ImportChanges = Partial<Omit<ImportRecord, 'id' | 'workspaceId' | 'createdAt' | 'mapping'>> & {
  /** JSON. */
  mapping?: string | null
  leaseOwner?: string | null
  leaseUntil?: Date | null
}

export type ImportStore = ReturnType<typeof createImportStore>

/** Imports, their progress and what they refused. */
export function createImportStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async create(
      { workspaceId }: Scope,
      {
        fileSha256,
        fileName,
        fileSizeBytes,
        createdBy,
        createdAt,
      }: Pick<ImportRecord, 'fileSha256' | 'fileName' | 'fileSizeBytes' | 'createdAt'> & { createdBy: string },
    ): Promise<ImportRecord> {
      const { rows } = await pool.query<ImportRecord>(
        `insert into imports (workspace_id, file_sha256, file_name, file_size_bytes, state, created_by, created_at)
         values ($1, $2, $3, $4, 'uploading', $5, $6) returning ${columns}`,
        [workspaceId, fileSha256, fileName, fileSizeBytes, createdBy, createdAt],
      )
      return first(rows)
    },

    async find({ workspaceId }: Scope, id: number): Promise<ImportRecord | null> {
      const { rows } = await pool.query<ImportRecord>(
        `select ${columns} from imports where workspace_id = $1 and id = $2`,
        [workspaceId, id],
      )
      return rows[0] ?? null
    },

    /** Newest first. */
    async list({ workspaceId }: Scope): Promise<ImportRecord[]> {
      const { rows } = await pool.query<ImportRecord>(
        `select ${columns} from imports where workspace_id = $1 order by created_at desc, id desc limit ${listedMaxCount}`,
        [workspaceId],
      )
      return rows
    },

    /** Changes an import in one of these states; null where it is in another one. */
    async update(
      { workspaceId }: Scope,
      id: number,
      states: readonly ImportState[],
      changes: ImportChanges,
    ): Promise<ImportRecord | null> {
      const { sql, values } = setList(changes, 4)
      const { rows } = await pool.query<ImportRecord>(
        `update imports set ${sql} where workspace_id = $1 and id = $2 and state = any($3) returning ${columns}`,
        [workspaceId, id, states, ...values],
      )
      return rows[0] ?? null
    },

    /**
     * Takes an import of any workspace that needs work and that no living process holds. `leaseMs`: how long it is held
     * without a renewal.
     */
    async claim(_system: SystemScope, owner: string, now: Date, leaseMs: number): Promise<ImportRecord | null> {
      const { rows } = await pool.query<ImportRecord>(
        `update imports i set lease_owner = $1, lease_until = $3
         from (
           select workspace_id, id from imports
           where ${dueSql('$2')}
           order by created_at limit 1 for update skip locked
         ) as due
         where i.workspace_id = due.workspace_id and i.id = due.id
         returning ${selectListOf<ImportRecord>('i', properties)}`,
        [owner, now, new Date(now.getTime() + leaseMs)],
      )
      return rows[0] ?? null
    },

    /** Whether `claim` would take an import. */
    async isDue(_system: SystemScope, now: Date): Promise<boolean> {
      const { rowCount } = await pool.query(`select from imports where ${dueSql('$1')} limit 1`, [now])
      return rowCount === 1
    },

    /** False where another process holds the import now, or its state is another one. */
    async renew({ workspaceId }: Scope, id: number, owner: string, until: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update imports set lease_until = $4
         where workspace_id = $1 and id = $2 and lease_owner = $3 and state in ('checking', 'running', 'undoing')`,
        [workspaceId, id, owner, until],
      )
      return rowCount === 1
    },

    async addRefusals(
      { workspaceId }: Scope,
      id: number,
      refusals: readonly { line: number; reason: string; cells: readonly string[] }[],
    ): Promise<void> {
      await pool.query(
        `insert into import_refusals (workspace_id, import_id, line, reason, cells)
         select $1, $2, given.line, given.reason, array(select json_array_elements_text(given.cells::json))
         from unnest($3::bigint[], $4::text[], $5::text[]) as given (line, reason, cells)
         on conflict do nothing`,
        [
          workspaceId,
          id,
          refusals.map(({ line }) => line),
          refusals.map(({ reason }) => reason),
          refusals.map(({ cells }) => JSON.stringify(cells)),
        ],
      )
    },

    /** By line; a page in memory at a time. */
    async *refusals(
      { workspaceId }: Scope,
      id: number,
    ): AsyncGenerator<{ line: number; reason: string; cells: string[] }> {
      for (let after = -1; ;) {
        const { rows } = await pool.query<{ line: number; reason: string; cells: string[] }>(
          `select line, reason, cells from import_refusals
           where workspace_id = $1 and import_id = $2 and line > $3 order by line limit 500`,
          [workspaceId, id, after],
        )
        yield* rows
        const last = rows.at(-1)
        if (last === undefined || rows.length < 500) return
        after = last.line
      }
    },

    start: (scope: Scope, id: number, start: ImportStart) => startImport({ pool }, scope, id, start),

    async clearRefusals({ workspaceId }: Scope, id: number): Promise<void> {
      await pool.query('delete from import_refusals where workspace_id = $1 and import_id = $2', [workspaceId, id])
    },

    /** Deletes what imports keep for 30 days, and the files of those that ended 7 days ago, of all workspaces. */
    async prune(_system: SystemScope, now: Date): Promise<void> {
      const before = daysBefore(now, keptDays)
      await pool.query(
        `with old as (
           select workspace_id, file_sha256 as sha256 from imports group by 1, 2
           having bool_and(coalesce(finished_at < $1, created_at < $2))
         )
         delete from blobs b using old where b.workspace_id = old.workspace_id and b.sha256 = old.sha256
           ${['images', 'image_renditions', 'uploads', 'attachments']
             .map(
               (table) =>
                 `and not exists (select from ${table} k where k.workspace_id = b.workspace_id and k.sha256 = b.sha256)`,
             )
             .join(' ')}`,
        [daysBefore(now, fileKeptDays), before],
      )
      for (const table of ['import_overwrites', 'import_refusals'])
        await pool.query(
          `delete from ${table} k using imports i
           where i.workspace_id = k.workspace_id and i.id = k.import_id and i.finished_at < $1`,
          [before],
        )
    },
  }
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000)

/** The row of a statement that always returns one. */
function first<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A statement returned no row')
  return row
}
