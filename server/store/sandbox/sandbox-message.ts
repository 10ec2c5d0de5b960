import type { Pool } from 'pg'
import type { SandboxMessage } from '../../../contract/mail/sandbox.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'

/** A mail as the sandbox's SMTP server received it. */
export interface NewSandboxMessage {
  from: string
  /** Envelope recipients; stored in lower case. */
  to: readonly string[]
  subject: string
  html: string | null
  text: string | null
  /** Decoded, names in lower case. */
  headers: Readonly<Record<string, string>>
  raw: Buffer
}

interface Row extends Omit<SandboxMessage, 'id' | 'date' | 'raw'> {
  id: number
  date: Date
  raw: Buffer
}

const columns = `id, from_address as "from", recipients as "to", subject, received_at as date, html, text, headers, raw`

/** A retried insert compares with this many of the newest mails. */
const newestCount = 1000

/** Mails that the sandbox received, of all workspaces: only callers of this machine read them. */
export function createSandboxMessageStore(pool: Pick<Pool, 'query'>) {
  return {
    /** Resolves after the commit. `isRetry`: the mail may be stored already; it is stored once. */
    async insert(_system: SystemScope, message: NewSandboxMessage, isRetry = false): Promise<void> {
      await pool.query(
        `insert into sandbox_messages (from_address, recipients, subject, html, text, headers, raw)
         select $1, $2, $3, $4, $5, $6, $7
         where not $8 or not exists (
           select from (select recipients, raw from sandbox_messages order by id desc limit ${newestCount}) as newest
           where newest.recipients = $2 and newest.raw = $7
         )`,
        [
          withoutNul(message.from),
          message.to.map((address) => withoutNul(address.toLowerCase())),
          withoutNul(message.subject),
          message.html === null ? null : withoutNul(message.html),
          message.text === null ? null : withoutNul(message.text),
          Object.fromEntries(
            Object.entries(message.headers).map(([name, value]) => [withoutNul(name), withoutNul(value)]),
          ),
          message.raw,
          isRetry,
        ],
      )
    },

    /** Newest first; `to` narrows it to one envelope recipient, in any case. */
    async list(_system: SystemScope, { to, limit }: { to: string | null; limit: number }): Promise<SandboxMessage[]> {
      const { rows } = await pool.query<Row>(
        `select ${columns} from sandbox_messages where $1::text is null or recipients @> array[lower($1)]
         order by sandbox_messages.id desc limit $2`,
        [to, limit],
      )
      return rows.map(toMessage)
    },

    async find(_system: SystemScope, id: string): Promise<SandboxMessage | null> {
      if (!/^\d{1,15}$/.test(id)) return null
      const { rows } = await pool.query<Row>(`select ${columns} from sandbox_messages where id = $1`, [id])
      return rows[0] ? toMessage(rows[0]) : null
    },
  }
}

/** PostgreSQL texts cannot contain NUL; `raw` keeps it. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

function toMessage({ id, date, raw, ...row }: Row): SandboxMessage {
  return { ...row, id: String(id), date: date.toISOString(), raw: raw.toString('utf8') }
}
