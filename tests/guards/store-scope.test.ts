import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const store = new URL('../../server/store/', import.meta.url)

/** Nouns whose tables belong to workspaces. */
const tenantNouns = [
  'campaigns',
  'directory',
  'embeds',
  'mailboxes',
  'messages',
  'quota',
  'sandbox',
  'statistics',
  'suppressions',
  'templates',
]

/** Files on tables of workspaces in the folders of other nouns. */
const tenantFiles = ['accounts/workspace.ts', 'backup/frozen-queue.ts', 'core/idempotency-key.ts']

/** Functions without a scope, by reason. A new function needs a scope or an entry here. */
const withoutScope: Readonly<Record<string, readonly string[]>> = {
  'directory lookup: finds the workspace of a key, a token or an origin': [
    'embeds/embed-session.findGrant',
    'embeds/embed-session.useCode',
    'embeds/embed.findPublic',
    'embeds/embed.isRegistered',
    'mailboxes/mailbox.findByKey',
  ],
  'reads and changes no rows: partitions, planner statistics, SQL texts, files': [
    'campaigns/campaign-recipient.analyze',
    'campaigns/audience.sql.audienceSql',
    'campaigns/campaign-state.sql.nextStateSql',
    'campaigns/fill-context.sql.contextSql',
    'embeds/embed-files.publishEmbed',
    'messages/accept.sql.acceptValues',
    'messages/delivery-partitions.ensureDeliveryPartitions',
    'messages/message.analyze',
  ],
}

/** Exported functions, and methods of what they return, whose first parameter is not a `Scope` or `SystemScope`. */
function findUnscoped(place: string, text: string): string[] {
  const source = ts.createSourceFile(place, text, ts.ScriptTarget.Latest, true)
  const check = (name: string, { parameters }: ts.SignatureDeclarationBase) =>
    /^(System)?Scope$/.test(parameters[0]?.type?.getText() ?? '') ? [] : [`${place}.${name}`]
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.isFunctionDeclaration(statement) && statement.modifiers?.[0]?.kind === ts.SyntaxKind.ExportKeyword
    if (!isExported) return []
    const returned = statement.body?.statements.findLast(ts.isReturnStatement)?.expression
    const name = statement.name?.getText() ?? ''
    if (!name.startsWith('create') || !returned || !ts.isObjectLiteralExpression(returned)) {
      return check(name, statement)
    }
    return returned.properties.flatMap((property) => {
      if (ts.isMethodDeclaration(property)) return check(property.name.getText(), property)
      const isFunction = ts.isPropertyAssignment(property) && ts.isArrowFunction(property.initializer)
      return isFunction ? check(property.name.getText(), property.initializer) : []
    })
  })
}

async function unscopedOfAll(): Promise<string[]> {
  const folders = tenantNouns.map(async (noun) => {
    const files = await readdir(new URL(`${noun}/`, store))
    return files.filter((file) => /^(?!.*\.test\.ts$).*\.ts$/.test(file)).map((file) => `${noun}/${file}`)
  })
  const files = [...(await Promise.all(folders)).flat(), ...tenantFiles]
  const unscoped = files.map(async (file) =>
    findUnscoped(file.replace(/\.ts$/, ''), await readFile(new URL(file, store), 'utf8')),
  )
  return (await Promise.all(unscoped)).flat()
}

describe('functions on tenant tables', () => {
  it('take the scope as their first parameter, unless listed with a reason', async () => {
    const listed = new Set(Object.values(withoutScope).flat())
    expect((await unscopedOfAll()).filter((name) => !listed.has(name))).toEqual([])
  })

  it.each([
    [
      'a method',
      'export function createLists(pool: Pool) {\n  return { async find(id: string) {} }\n}\n',
      'lists/list.find',
    ],
    [
      'an arrow function',
      'export function createLists() {\n  return { all: (id: string) => id }\n}\n',
      'lists/list.all',
    ],
    ['a function', 'export async function findList(pool: Pool, id: string) {}\n', 'lists/list.findList'],
    ['one without parameters', 'export function createLists() {\n  return { all() {} }\n}\n', 'lists/list.all'],
  ])('%s without a scope fails the check', (_what, text, name) => {
    expect(findUnscoped('lists/list', text)).toEqual([name])
  })

  it.each(['{ workspaceId }: Scope', '_system: SystemScope'])('a function with a scope passes: %s', (scope) => {
    const text = `export function createLists() {\n  return { find(${scope}, id: string) {} }\n}\n`
    expect(findUnscoped('lists/list', text)).toEqual([])
  })

  it('are listed only if they are there', async () => {
    const unscoped = await unscopedOfAll()
    expect(
      Object.values(withoutScope)
        .flat()
        .filter((name) => !unscoped.includes(name)),
    ).toEqual([])
  })
})
