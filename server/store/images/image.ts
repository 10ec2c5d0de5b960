import type { Scope } from '../../domain/auth/scope.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import type { ImageRow, Rendition } from '../../domain/images/image.ts'
import { countRows, findRow, type Database } from '../core/database.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { setList } from '../core/sql.ts'

/** A stored rendition: its file is a blob. */
export interface StoredRendition {
  width: number
  format: Rendition['format']
  sha256: Buffer
}

export interface NewImage extends Pick<ImageRow, 'id' | 'sha256' | 'name' | 'alt' | 'width' | 'height' | 'createdAt'> {
  createdBy: string | null
  renditions: readonly StoredRendition[]
}

const columns = `i.id, i.sha256, i.name, i.alt, i.width, i.height, i.created_at as "createdAt", array(
  select r.width from image_renditions r where r.workspace_id = $1 and r.sha256 = i.sha256 order by r.width
) as widths`
const isListed = `i.workspace_id = $1 and i.deleted_at is null
  and ($2::text is null or strpos(lower(concat_ws(e'\\n', i.name, i.alt)), lower($2)) > 0)`

export type ImageStore = ReturnType<typeof createImageStore>

/** Images of the media libraries. */
export function createImageStore({ pool }: Pick<Database, 'pool'>) {
  const first = (text: string, values: unknown[]) => findRow<ImageRow>(pool, text, values)

  return {
    findByFile: ({ workspaceId }: Scope, sha256: Buffer) =>
      first(`select ${columns} from images i where i.workspace_id = $1 and i.sha256 = $2`, [workspaceId, sha256]),

    find: ({ workspaceId }: Scope, id: string) =>
      first(`select ${columns} from images i where i.workspace_id = $1 and i.id = $2 and i.deleted_at is null`, [
        workspaceId,
        id,
      ]),

    /** Adds an image with its renditions; the same file stays one image, and is listed again if it was deleted. */
    async add(
      { workspaceId }: Scope,
      { id, sha256, name, alt, width, height, createdAt, createdBy, renditions }: NewImage,
    ): Promise<void> {
      await pool.query(
        `with added as (
           insert into images (workspace_id, id, sha256, name, alt, width, height, created_by, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (workspace_id, sha256) do update set deleted_at = null
         )
         insert into image_renditions (workspace_id, sha256, width, format, rendition_sha256)
         select $1, $3, given.width, given.format, given.sha256
         from unnest($10::int[], $11::text[], $12::bytea[]) as given (width, format, sha256)
         on conflict do nothing`,
        [
          ...[workspaceId, id, sha256, name, alt, width, height, createdBy, createdAt],
          renditions.map((rendition) => rendition.width),
          renditions.map(({ format }) => format),
          renditions.map((rendition) => rendition.sha256),
        ],
      )
    },

    /** Lists a deleted image again. */
    async restore({ workspaceId }: Scope, sha256: Buffer): Promise<void> {
      await pool.query('update images set deleted_at = null where workspace_id = $1 and sha256 = $2', [
        workspaceId,
        sha256,
      ])
    },

    /** Newest first. */
    async list(
      { workspaceId }: Scope,
      { search, limit, offset, after }: PageQuery & { search: string | null },
    ): Promise<Listed<ImageRow>> {
      const [{ rows }, total] = await Promise.all([
        pool.query<ImageRow & { sortAt: string }>(
          `select ${columns}, ${sortAtColumn('i.created_at')} from images i
           where ${isListed} and ${isAfter('desc', 3, { prefix: 'i.' })}
           order by i.created_at desc, i.id desc limit $5 offset $6`,
          [workspaceId, search, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from images i where ${isListed}`, [workspaceId, search]),
      ])
      return { ...toPage<ImageRow>(rows, limit), total }
    },

    /** False where there is no such image. */
    async update({ workspaceId }: Scope, id: string, changes: { name?: string; alt?: string }): Promise<boolean> {
      const { sql, values } = setList(changes, 3)
      const set = sql === '' ? 'name = name' : sql
      const { rowCount } = await pool.query(
        `update images set ${set} where workspace_id = $1 and id = $2 and deleted_at is null`,
        [workspaceId, id, ...values],
      )
      return rowCount === 1
    },

    /** Hides an image from the library; false where there is none. */
    async hide({ workspaceId }: Scope, id: string, now: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update images set deleted_at = $3 where workspace_id = $1 and id = $2 and deleted_at is null',
        [workspaceId, id, now],
      )
      return rowCount === 1
    },

    /** Deletes an image with its renditions, hidden ones too; their files go with the next daily task. */
    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from images where workspace_id = $1 and id = $2', [workspaceId, id])
      return rowCount === 1
    },

    /** The smallest rendition of at least this width, else the largest, of the image whose digest starts like this. */
    findRendition: ({ workspaceId }: Scope, digestStart: Buffer, width: number): Promise<StoredRendition | null> =>
      findRow<StoredRendition>(
        pool,
        `select width, format, rendition_sha256 as sha256 from image_renditions
         where workspace_id = $1 and sha256 >= $2 and sha256 <= $3
         order by width < $4, case when width < $4 then -width else width end limit 1`,
        [workspaceId, digestStart, Buffer.concat([digestStart, Buffer.alloc(16, 0xff)]), width],
      ),
  }
}
