import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { escapeLiteral } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { Database } from '../core/database.ts'

const chunkBytes = 1024 ** 2
const dayMs = 86_400_000

export type BlobStore = ReturnType<typeof createBlobStore>

/** Files of workspaces in pieces of 1 MiB. */
export function createBlobStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Announces a file; one with the same content stays as it is. */
    async create(
      { workspaceId }: Scope,
      {
        sha256,
        sizeBytes,
        contentType,
        chunkCount,
        createdAt,
      }: { sha256: Buffer; sizeBytes: number; contentType: string; chunkCount: number; createdAt: Date },
    ): Promise<void> {
      await pool.query(
        `insert into blobs (workspace_id, sha256, size_bytes, content_type, chunk_count, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [workspaceId, sha256, sizeBytes, contentType, chunkCount, createdAt],
      )
    },

    /** Stores a whole file and returns its digest; a file that is stored already counts as new. */
    async put(scope: Scope, bytes: Buffer, contentType: string, createdAt: Date): Promise<Buffer> {
      const sha256 = createHash('sha256').update(bytes).digest()
      const chunkCount = Math.ceil(bytes.length / chunkBytes)
      await pool.query(
        `insert into blobs (workspace_id, sha256, size_bytes, content_type, chunk_count, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (workspace_id, sha256) do update set created_at = excluded.created_at`,
        [scope.workspaceId, sha256, bytes.length, contentType, chunkCount, createdAt],
      )
      for (let no = 0; no < chunkCount; no += 1)
        await this.addChunk(scope, sha256, no, bytes.subarray(no * chunkBytes, (no + 1) * chunkBytes))
      return sha256
    },

    /** Stores a piece; one that is stored already stays. */
    async addChunk({ workspaceId }: Scope, sha256: Buffer, no: number, bytes: Buffer): Promise<void> {
      await pool.query(
        `insert into blob_chunks (workspace_id, sha256, no, bytes) values ($1, $2, $3, $4) on conflict do nothing`,
        [workspaceId, sha256, no, bytes],
      )
    },

    /** Number of pieces at the beginning of the file that are stored without a gap. */
    async countChunks({ workspaceId }: Scope, sha256: Buffer): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*) as count from (
           select no, row_number() over (order by no) - 1 as place from blob_chunks where workspace_id = $1 and sha256 = $2
         ) as chunk where no = place`,
        [workspaceId, sha256],
      )
      return rows[0]?.count ?? 0
    },

    /** By COPY, which gives bytes as they are: as the column of a query, a piece becomes a text of twice its length. */
    async readChunk({ workspaceId }: Scope, sha256: Buffer, no: number): Promise<Buffer | null> {
      // COPY takes no parameters.
      const row = `workspace_id = ${escapeLiteral(workspaceId)} and sha256 = '\\x${sha256.toString('hex')}' and no = ${Math.trunc(no)}`
      const client = await pool.connect()
      try {
        const stream = client.query(
          copyTo(`copy (select bytes from blob_chunks where ${row}) to stdout (format binary)`),
        )
        return readOnlyValue(await buffer(stream))
      } finally {
        client.release()
      }
    },

    /** The pieces in order; one in memory at a time. */
    async *read(scope: Scope, sha256: Buffer): AsyncGenerator<Buffer> {
      for (let no = 0; ; no += 1) {
        const bytes = await this.readChunk(scope, sha256, no)
        if (bytes === null) return
        yield bytes
      }
    },

    /** A whole file; null where a piece is missing. */
    async readWhole(scope: Scope, sha256: Buffer): Promise<Buffer | null> {
      const pieces: Buffer[] = []
      for await (const piece of this.read(scope, sha256)) pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      return createHash('sha256').update(bytes).digest().equals(sha256) ? bytes : null
    },

    /** Bytes of images and attachments of a workspace, each file once; imports have limits of their own. */
    async storedBytes({ workspaceId }: Scope): Promise<number> {
      const { rows } = await pool.query<{ bytes: number }>(
        `select coalesce(sum(size_bytes), 0)::bigint as bytes from blobs b
         where workspace_id = $1 and (
           exists (select from image_renditions r where r.workspace_id = $1 and r.rendition_sha256 = b.sha256)
           or exists (select from attachments a where a.workspace_id = $1 and a.sha256 = b.sha256)
           or exists (select from uploads u where u.workspace_id = $1 and u.sha256 = b.sha256)
         )`,
        [workspaceId],
      )
      return rows[0]?.bytes ?? 0
    },

    /** Deletes files of all workspaces that are older than a day and that no row names, and expired uploads. */
    async prune(_system: SystemScope, now: Date): Promise<void> {
      await pool.query('delete from uploads where expires_at < $1', [now])
      await pool.query(
        `delete from blobs b where created_at < $1
           and not exists (
             select from image_renditions r where r.workspace_id = b.workspace_id and r.rendition_sha256 = b.sha256
           )
           and not exists (select from attachments a where a.workspace_id = b.workspace_id and a.sha256 = b.sha256)
           and not exists (select from uploads u where u.workspace_id = b.workspace_id and u.sha256 = b.sha256)
           and not exists (select from imports i where i.workspace_id = b.workspace_id and i.file_sha256 = b.sha256)`,
        [new Date(now.getTime() - dayMs)],
      )
    },

    async remove({ workspaceId }: Scope, sha256: Buffer): Promise<void> {
      await pool.query('delete from blobs where workspace_id = $1 and sha256 = $2', [workspaceId, sha256])
    },
  }
}

const fileHeaderBytes = 19
const tupleHeaderBytes = 6
const trailerBytes = 2

/** The value of a binary COPY with one column and at most one row (PostgreSQL, “COPY”, binary format); null without a row. */
function readOnlyValue(copied: Buffer): Buffer | null {
  if (copied.length <= fileHeaderBytes + trailerBytes) return null
  return copied.subarray(fileHeaderBytes + tupleHeaderBytes, copied.length - trailerBytes)
}
