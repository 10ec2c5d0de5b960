import { chown, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { writeFileDurably } from '../../postgres/durable-file.ts'
import { formatKeyFile, newKey, readKeyFile, type KeyFile } from './key-ring.ts'
import { placeIn, sealedColumns, type SealedColumn } from './sealed-columns.ts'
import { VaultError, type Vault } from './vault.ts'
import { noteCurrentKey } from './vault-keys.ts'

/** Result of wrapping: values wrapped with the current key, and values that no key of the ring opens. */
export interface Rewrapped {
  wrappedCount: number
  brokenCount: number
  /** Whether the last pass found nothing to wrap; else a process still uses a ring without the key. */
  isComplete: boolean
}

const passesMaxCount = 20
const batchCount = 500
const firstId = '00000000-0000-0000-0000-000000000000'
/** Time until a value that a server has just sealed is committed. */
const settleDefaultMs = 2000

/** Adds a key to the file that seals nothing yet, unless one is prepared already. Returns the key's id. */
export async function prepareKey(path: string): Promise<string> {
  const file = await readKeyFile(path)
  const made = nextKey(file)
  await replaceFile(path, { ...file, next: made.id, keys: { ...file.keys, [made.id]: made.key } })
  return made.id
}

/**
 * Makes a new or prepared key current; `isResumed`: an interrupted rotation continues with its key. Running servers
 * read the changed file when they seal the next secret. Call `rewrapAll` next, then `endRotation`.
 */
export async function beginRotation(path: string): Promise<{ id: string; isResumed: boolean }> {
  const file = await readKeyFile(path)
  if (file.unfinished !== undefined && file.unfinished === file.current) return { id: file.current, isResumed: true }
  const { next: _made, ...rest } = file
  const { id, key } = nextKey(file)
  const anchor = file.anchor ?? file.current
  await replaceFile(path, { ...rest, anchor, current: id, unfinished: id, keys: { ...file.keys, [id]: key } })
  return { id, isResumed: false }
}

/** Ends a rotation: every secret is wrapped by the current key. */
export async function endRotation(path: string): Promise<void> {
  const { unfinished, ...file } = await readKeyFile(path)
  if (unfinished !== undefined) await replaceFile(path, file)
}

function nextKey({ next, keys }: KeyFile): { id: string; key: string } {
  return next === undefined ? newKey() : { id: next, key: keys[next] ?? '' }
}

async function replaceFile(path: string, file: KeyFile): Promise<void> {
  const { uid, gid } = await stat(path)
  await writeFileDurably(path, formatKeyFile(file))
  const now = await stat(path)
  if (now.uid !== uid || now.gid !== gid) await chown(path, uid, gid)
}

/**
 * Wraps the data key of every sealed value with the current key while servers run. A value that is changed concurrently
 * is skipped; passes repeat until one finds nothing `settleMs` after the previous one.
 */
export async function rewrapAll(
  pool: Pool,
  vault: Vault,
  currentId: string,
  settleMs = settleDefaultMs,
): Promise<Rewrapped> {
  await noteCurrentKey(pool, vault, currentId)
  let wrappedCount = 0
  let brokenCount = 0
  let isQuiet = false
  for (let passCount = 0; passCount < passesMaxCount; passCount++) {
    const pass = { wrappedCount: 0, brokenCount: 0 }
    for (const column of sealedColumns) {
      const counts = await rewrapColumn(pool, vault, currentId, column)
      pass.wrappedCount += counts.wrappedCount
      pass.brokenCount += counts.brokenCount
    }
    wrappedCount += pass.wrappedCount
    brokenCount = pass.brokenCount
    if (pass.wrappedCount === 0 && isQuiet) return { wrappedCount, brokenCount, isComplete: true }
    isQuiet = pass.wrappedCount === 0
    if (isQuiet) await sleep(settleMs)
  }
  return { wrappedCount, brokenCount, isComplete: false }
}

interface SealedRow {
  id: string
  workspace: string
  value: Buffer
}

type Counts = Omit<Rewrapped, 'isComplete'>

async function rewrapColumn(pool: Pool, vault: Vault, currentId: string, column: SealedColumn): Promise<Counts> {
  const counts = { wrappedCount: 0, brokenCount: 0 }
  const { table, sealed, workspace } = column
  // The key's id follows the version and its length, one byte each (vault.ts).
  const select = `
    select id, ${workspace}::text as workspace, ${sealed} as value from ${table}
    where (${workspace}, id) > ($1::uuid, $3::uuid) and ${sealed} is not null and substring(${sealed} from 3 for get_byte(${sealed}, 1)) <> $2
    order by ${workspace}, id limit ${batchCount}`
  for (let last = { workspace: firstId, id: firstId }; ;) {
    const { rows } = await pool.query<SealedRow>(select, [last.workspace, Buffer.from(currentId), last.id])
    for (const row of rows) {
      const wrapped = tryRewrap(vault, column, row)
      if (wrapped === null) counts.brokenCount += 1
      else {
        const { rowCount } = await pool.query(
          `update ${table} set ${sealed} = $2 where ${workspace} = $4::uuid and id = $1::uuid and ${sealed} = $3`,
          [row.id, wrapped, row.value, row.workspace],
        )
        counts.wrappedCount += rowCount ?? 0
      }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < batchCount) return counts
    last = end
  }
}

function tryRewrap(vault: Vault, column: SealedColumn, { id, workspace, value }: SealedRow): Buffer | null {
  try {
    return vault.rewrap(value, placeIn(column, id, workspace))
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return null // The mailbox shows its owner what to do; the other values are wrapped.
  }
}
