import { customType, timestamp } from 'drizzle-orm/pg-core'

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const jsonArray = customType<{ data: unknown[] }>({ dataType: () => 'json[]' })
/** A timestamptz, read as Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
