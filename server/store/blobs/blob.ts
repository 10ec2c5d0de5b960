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

    async readChunk({ workspaceId }: Scope, sha256: Buffer, no: number): Promise<Buffer | null> {
      const { rows } = await pool.query<{ bytes: Buffer }>(
        'select bytes from blob_chunks where workspace_id = $1 and sha256 = $2 and no = $3',
        [workspaceId, sha256, no],
      )
      return rows[0]?.bytes ?? null
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
