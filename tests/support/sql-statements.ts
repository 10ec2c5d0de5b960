import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { tableClasses } from './table-classes.ts'

/** A statement in a source file; computed parts are `?`. */
export interface Statement {
  file: string
  sql: string
}

const isStatement = /^\s*(?:select|insert|update|delete|with)\s/i

/** Every SQL statement in the sources below a folder, with the constants and functions of the same folder put in. */
export function readStatements(folder: string): Statement[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') && !name.includes('.test.') && !name.includes('migrations') && !name.includes('schema/'),
  )
  const sources = files.map((name) =>
    ts.createSourceFile(name, readFileSync(join(folder, name), 'utf8'), ts.ScriptTarget.Latest, true),
  )
  const exported = new Map(sources.flatMap((source) => [...constantsOf(source)]))
  return sources.flatMap((source) => statementsOf(source, new Map([...exported, ...constantsOf(source)])))
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsOf(source: ts.SourceFile): Map<string, ts.Expression> {
  const found = new Map<string, ts.Expression>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      found.set(node.name.text, node.initializer)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function statementsOf(source: ts.SourceFile, constants: Constants): Statement[] {
  const found: Statement[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const sql = textOf(node, constants, 0)
      if (isStatement.test(sql)) {
        found.push({ file: source.fileName, sql: sql.replaceAll(/\s+/g, ' ').trim() })
        return
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The text of an expression; parameters of functions that build SQL are `?`. */
function textOf(node: ts.Expression, constants: Constants, depth: number): string {
  if (depth > 8) return '?'
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, constants, depth)
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? '?' : textOf(node.body, constants, depth)
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map((span) => textOf(span.expression, constants, depth + 1) + span.literal.text)
    return node.head.text + parts.join('')
  }
  const name = ts.isCallExpression(node) ? node.expression : node
  const value = ts.isIdentifier(name) ? constants.get(name.text) : undefined
  return value === undefined ? '?' : textOf(value, constants, depth + 1)
}

const keywords =
  'as|set|where|on|using|values|select|returning|order|group|limit|cross|join|left|inner|for|and|or|not|when|natural|with|from|union'
// Matches at each position, so that the name before a `from` does not take the `from` as its alias.
const reference = new RegExp(
  `\\b(?:from|join|update|into|using)\\s+(?:only\\s+)?"?([a-z_]+)"?(?:\\s+(?:as\\s+)?(?!(?:${keywords})\\b)([a-z_]+))?|,\\s*"?([a-z_]+)"?(?:\\s+(?:as\\s+)?(?!(?:${keywords})\\b)([a-z_]+))?`,
  'gi',
)
const volatile = /\b(?:gen_random_uuid|random|clock_timestamp|nextval)\s*\(/i

/** What a statement breaks of the rules for shards (docs: server/store/schema/table.ts); null: nothing. */
export function breachOf(sql: string): string | null {
  if (/^insert[^]*?\bvalues\s*\(/i.test(sql) && !/\bselect\b/i.test(sql)) return missingInsertColumn(sql)
  let touched = false
  const isWrite = /\b(?:update\s+[a-z_]+|insert\s+into\s)/i.test(sql.replaceAll(/for (?:no key )?update/gi, ''))
  if (isWrite && volatile.test(sql)) return 'calls a volatile function in a write'
  for (const [whole, first, firstAlias, second, secondAlias] of sql.matchAll(reference)) {
    const table = first ?? second ?? ''
    if (tableClasses[table] !== 'tenant') continue
    if (/^into/i.test(whole)) {
      const missing = missingInsertColumn(sql.slice(sql.indexOf(whole)))
      if (missing !== null) return missing
      continue
    }
    const alias = firstAlias ?? secondAlias ?? null
    if (!isRouted(sql, table, alias)) return `reads or writes ${table} without its workspace`
    touched = true
  }
  return touched && !namesWorkspace.test(sql) ? 'joins rows of equal workspaces, but names none' : null
}

/** A comparison of the key with anything but another table's: a parameter, a list, a subquery; `id` for workspaces. */
const namesWorkspace =
  /\bworkspace_id\s*(?:=|in\b)(?!\s*[a-z_]+\.workspace_id)|\(([a-z_]+\.)?workspace_id, [a-z_.]+\) in\b|\bworkspaces\b.*\bid\s*(?:=|in\b)/i

/** Whether the key of the workspace is compared with something: `workspace_id = …`, `in (…)` or as the first of a row. */
function isRouted(sql: string, table: string, alias: string | null): boolean {
  const key = table === 'workspaces' ? 'id' : 'workspace_id'
  const compared = (name: string) =>
    new RegExp(`(?:${name}|\\(${name}, [a-z._]+\\))\\s*(?:=|in\\b|>)|=\\s*${name}\\b`, 'i')
  if (alias !== null && compared(`\\b${alias}\\.${key}`).test(sql)) return true
  return compared(`(?<![.\\w])${key}`).test(sql) || compared(`\\b${table}\\.${key}`).test(sql)
}

function missingInsertColumn(sql: string): string | null {
  const [, table = '', columns = ''] = /into\s+([a-z_]+)(?:\s+(?:as\s+)?[a-z]+)?\s*\(([^)]*)\)/i.exec(sql) ?? []
  if (tableClasses[table] !== 'tenant' || table === 'workspaces') return null
  return /\bworkspace_id\b|\?/.test(columns) ? null : `inserts into ${table} without workspace_id`
}
