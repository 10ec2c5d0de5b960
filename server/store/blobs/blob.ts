import { buffer } from 'node:stream/consumers'
import { escapeLiteral } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Scope } from '../../domain/auth/scope.ts'
import type { Database } from '../core/database.ts'

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
