import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { ImportRow } from '../../domain/imports/mapping.ts'

/** Columns of a temporary table of rows. */
export const rowColumns = 'line bigint, email text, key text, fields jsonb, locale text, timezone text'

/** Sends lines in the text format of COPY, each with its line end. */
export async function copyLines(client: pg.PoolClient, target: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const stream = client.query(copyFrom(`copy ${target} from stdin`))
  const finished = once(stream, 'finish')
  stream.end(lines.join(''))
  await finished
}

/** Copies rows into a table with `rowColumns`. */
export async function copyRows(client: pg.PoolClient, table: string, rows: readonly ImportRow[]): Promise<void> {
  const lines = rows.map((row) => `${row.line}\t${copyText(row.email)}\t${copyText(row.key)}\t${copyValues(row)}\n`)
  await copyLines(client, `${table} (line, email, key, fields, locale, timezone)`, lines)
}

/** Fields, locale and time zone of a row. */
export function copyValues({ fields, locale, timezone }: ImportRow): string {
  return `${copyText(fields)}\t${copyOptional(locale)}\t${copyOptional(timezone)}`
}

const copyOptional = (text: string | null): string => (text === null ? String.raw`\N` : copyText(text))

const escapes: Record<string, string> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** A value in the text format of COPY. */
export function copyText(text: string): string {
  return /[\\\n\r\t]/.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (char) => escapes[char] ?? char) : text
}
