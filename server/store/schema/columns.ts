import { customType, timestamp } from '../core/drizzle.ts'

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const jsonArray = customType<{ data: unknown[] }>({ dataType: () => 'json[]' })
/** A timestamptz, read as Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
