import { bigint, index, jsonb, text } from 'drizzle-orm/pg-core'
import { bytea, instant } from './columns.ts'
import { localTable } from './table.ts'

/** Mails that the sandbox received; empty in production. */
export const sandboxMessages = localTable(
  'sandbox_messages',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    receivedAt: instant('received_at').notNull().defaultNow(),
    fromAddress: text('from_address').notNull(),
    recipients: text('recipients').array().notNull(),
    subject: text('subject').notNull(),
    html: text('html'),
    text: text('text'),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    raw: bytea('raw').notNull(),
  },
  (table) => [index('sandbox_messages_recipients').using('gin', table.recipients)],
)
