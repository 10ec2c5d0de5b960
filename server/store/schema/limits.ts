import { bigint, index, text } from 'drizzle-orm/pg-core'
import type { AttemptKind } from '../../domain/limits/attempt.ts'
import { bytea, instant } from './columns.ts'
import { localTable } from './table.ts'

/** Limited attempts, such as sign-ins; rows, so that the limits hold across processes. */
export const attempts = localTable(
  'attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<AttemptKind>().notNull(),
    /** HMAC of the address, network or device. */
    subject: bytea('subject').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [index('attempts_subject').on(table.kind, table.subject, table.at), index('attempts_at').on(table.at)],
)
