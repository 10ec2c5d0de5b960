import type { AttachmentOwner, AttachmentRow, UploadRow } from '../../domain/attachments/attachment.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import { findRow, type Database } from '../core/database.ts'
import { selectList } from '../core/sql.ts'

const uploadColumns = selectList<UploadRow>(['id', 'sha256', 'filename', 'contentType', 'sizeBytes'])
const columns = selectList<AttachmentRow>(['sha256', 'filename', 'contentType', 'sizeBytes', 'inlineId'])

const addSql = `insert into attachments
    (workspace_id, owner_kind, owner_id, position, sha256, filename, content_type, size_bytes, inline_id)
  select $1, $2, $3, given.position - 1, given.sha256, given.filename, given.content_type, given.size_bytes, given.inline_id
  from unnest($4::bytea[], $5::text[], $6::text[], $7::bigint[], $8::text[]) with ordinality
    as given (sha256, filename, content_type, size_bytes, inline_id, position)`

export type AttachmentStore = ReturnType<typeof createAttachmentStore>

/** Files of messages, campaigns and templates, and the uploads that become them. */
export function createAttachmentStore({ pool }: Pick<Database, 'pool'>) {
  const valuesOf = ({ workspaceId }: Scope, { kind, id }: AttachmentOwner, files: readonly AttachmentRow[]) => [
    ...[workspaceId, kind, id],
    files.map(({ sha256 }) => sha256),
    files.map(({ filename }) => filename),
    files.map(({ contentType }) => contentType),
    files.map(({ sizeBytes }) => sizeBytes),
    files.map(({ inlineId }) => inlineId),
  ]

  return {
    async addUpload(
      { workspaceId }: Scope,
      { id, sha256, filename, contentType, sizeBytes }: UploadRow,
      { createdBy, createdAt, expiresAt }: { createdBy: string | null; createdAt: Date; expiresAt: Date },
    ): Promise<void> {
      await pool.query(
        `insert into uploads
           (workspace_id, id, sha256, filename, content_type, size_bytes, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [workspaceId, id, sha256, filename, contentType, sizeBytes, createdBy, createdAt, expiresAt],
      )
    },

    /** Null where it has expired. */
    findUpload: ({ workspaceId }: Scope, id: string, now: Date): Promise<UploadRow | null> =>
      findRow<UploadRow>(
        pool,
        `select ${uploadColumns} from uploads where workspace_id = $1 and id = $2 and expires_at > $3`,
        [workspaceId, id, now],
      ),

    /** Gives an owner its files. One that has files already keeps them: the call was made before. */
    async attach(scope: Scope, owner: AttachmentOwner, files: readonly AttachmentRow[]): Promise<void> {
      await pool.query(`${addSql} on conflict do nothing`, valuesOf(scope, owner, files))
    },

    /** Puts these files in place of those that an owner has. */
    async replace(scope: Scope, owner: AttachmentOwner, files: readonly AttachmentRow[]): Promise<void> {
      await pool.query(
        `with gone as (
           delete from attachments where workspace_id = $1 and owner_kind = $2 and owner_id = $3
             and position >= cardinality($4::bytea[])
         )
         ${addSql}
         on conflict (workspace_id, owner_kind, owner_id, position) do update set
           sha256 = excluded.sha256, filename = excluded.filename, content_type = excluded.content_type,
           size_bytes = excluded.size_bytes, inline_id = excluded.inline_id`,
        valuesOf(scope, owner, files),
      )
    },

    /** In their order. */
    async list({ workspaceId }: Scope, { kind, id }: AttachmentOwner): Promise<AttachmentRow[]> {
      const { rows } = await pool.query<AttachmentRow>(
        `select ${columns} from attachments where workspace_id = $1 and owner_kind = $2 and owner_id = $3
         order by position`,
        [workspaceId, kind, id],
      )
      return rows
    },

    /** Deletes the files of owners that are gone, of all workspaces. A message is written after its files. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query(
        `delete from attachments a where created_at < now() - interval '1 day' and not case owner_kind
           when 'message' then exists (
             select from messages m where m.workspace_id = a.workspace_id and m.id::text = a.owner_id)
           when 'campaign' then exists (
             select from campaigns c where c.workspace_id = a.workspace_id and c.id::text = a.owner_id)
           when 'template' then exists (
             select from templates t where t.workspace_id = a.workspace_id and t.id::text = a.owner_id)
           else true end`,
      )
    },
  }
}
