import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const store = new URL('../../server/store/', import.meta.url)

/** Nouns whose tables belong to workspaces. */
const tenantNouns = ['campaigns', 'embeds', 'mailboxes', 'messages', 'quota', 'statistics', 'suppressions', 'templates']

/** Functions without a scope, by reason. A new function needs a scope or an entry here. */
const withoutScope: Readonly<Record<string, readonly string[]>> = {
  'directory lookup: finds the workspace of a key, a token, a link or an origin': [
    'embeds/embed-session.findGrant',
    'embeds/embed-session.useCode',
    'embeds/embed.findPublic',
    'embeds/embed.isRegistered',
    'mailboxes/mailbox.findByKey',
    'suppressions/suppression.findRecipient',
  ],
  'engine: claims, leases, outcomes and quotas of mails of many workspaces in one statement': [
    'mailboxes/mailbox.findSecrets',
    'mailboxes/mailbox.openSecrets',
    'mailboxes/mailbox.pause',
    'mailboxes/mailbox.renewTokens',
    'messages/delivery-queue.expireLeases',
    'messages/delivery-queue.listDueMailboxes',
    'messages/delivery-queue.listLeased',
    'messages/delivery-queue.listPaused',
    'messages/delivery-queue.releaseLost',
    'messages/delivery-queue.writeOutcomes',
    'messages/delivery-queue.writeOutcomesAndClaim',
    'quota/mailbox-slots.acquire',
    'quota/mailbox-slots.release',
    'quota/mailbox-slots.renew',
    'quota/mailbox-quota.read',
    'suppressions/suppression.addDead',
    'suppressions/suppression.find',
    'suppressions/suppression.listChanged',
  ],
  'maintenance of all workspaces': [
    'campaigns/campaign-recipient.analyze',
    'campaigns/campaign-scheduler.advance',
    'campaigns/campaign-scheduler.deleteUnconfirmed',
    'campaigns/campaign-scheduler.prune',
    'embeds/embed-session.prune',
    'mailboxes/mailbox.ensureSystemMailbox',
    'messages/delivery-partitions.dropOldDeliveries',
    'messages/delivery-partitions.ensureDeliveryPartitions',
    'messages/delivery-queue.cancelOrphans',
    'messages/message.analyze',
    'quota/mailbox-slots.prune',
    'quota/mailbox-quota.prune',
    'statistics/queue-depth.readQueueDepth',
    'statistics/statistics.gather',
    'statistics/statistics.prune',
  ],
  'builds SQL or files, reads no table': [
    'campaigns/campaign-state-sql.nextStateSql',
    'embeds/embed-files.publishEmbed',
    'messages/accept.sql.acceptValues',
  ],
}

/** Exported functions, and methods of what they return, whose first parameter is not of type `Scope`. */
function findUnscoped(place: string, text: string): string[] {
  const source = ts.createSourceFile(place, text, ts.ScriptTarget.Latest, true)
  const check = (name: string, { parameters }: ts.SignatureDeclarationBase) =>
    parameters[0]?.type?.getText() === 'Scope' ? [] : [`${place}.${name}`]
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
  const lists = tenantNouns.map(async (noun) => {
    const files = (await readdir(new URL(`${noun}/`, store))).filter((file) => /^(?!.*\.test\.ts$).*\.ts$/.test(file))
    const texts = files.map(async (file) => {
      const text = await readFile(new URL(`${noun}/${file}`, store), 'utf8')
      return findUnscoped(`${noun}/${file.replace('.ts', '')}`, text)
    })
    return (await Promise.all(texts)).flat()
  })
  return (await Promise.all(lists)).flat()
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

  it('a function with a scope passes', () => {
    const text = 'export function createLists() {\n  return { find({ workspaceId }: Scope, id: string) {} }\n}\n'
    expect(findUnscoped('lists/list', text)).toEqual([])
  })
})
