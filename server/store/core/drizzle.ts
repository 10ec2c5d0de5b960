import { createRequire } from 'node:module'
import type * as coreTypes from 'drizzle-orm'
import type * as postgresTypes from 'drizzle-orm/node-postgres'
import type * as columnTypes from 'drizzle-orm/pg-core'

/**
 * drizzle-orm, loaded as CommonJS: its package.json is 180 kB, and Node reads it anew for each of the 300 ES modules, which
 * takes more than a second and 130 MB at every start (docs/decisions/0026-process-memory-and-start-time.md). Nothing else imports the package.
 */
const require = createRequire(import.meta.url)
const core = require('drizzle-orm') as typeof coreTypes
const postgres = require('drizzle-orm/node-postgres') as typeof postgresTypes
const columns = require('drizzle-orm/pg-core') as typeof columnTypes

export type { NodePgDatabase } from 'drizzle-orm/node-postgres'
export type PgTable = columnTypes.PgTable
export type SQL = coreTypes.SQL

export const {
  and,
  arrayContains,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  is,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notExists,
  or,
  sql,
} = core
export const { drizzle } = postgres
export const {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgSequence,
  pgTable,
  PgTable,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- one of its two signatures, which nobody uses
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} = columns
