import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { TestDatabase } from '../../../tests/support/postgres-server.ts'
import type { DocumentData, Seed } from '../../domain/auth/hosted.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createHostedDocumentStore } from './hosted-document.ts'
import { createHostedSeedStore } from './hosted-seed.ts'

let own: TestDatabase
let database: Database
let seeds: ReturnType<typeof createHostedSeedStore>
let documents: ReturnType<typeof createHostedDocumentStore>

beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.connection, () => undefined)
  seeds = createHostedSeedStore(database.pool)
  documents = createHostedDocumentStore(database.pool)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
beforeEach(async () => {
  await database.pool.query('delete from hosted_documents')
  await database.pool.query('delete from hosted_seeds')
})

/** Library of a release: templates with versions. */
const release = (versions: Record<string, string>): Seed[] =>
  Object.entries(versions).map(([id, version]) => ({ id, version, data: { subject: `${id} ${version}`, version } }))
const seed = (versions: Record<string, string>) => seeds.apply('templates', release(versions))
const shown = async () => {
  const page = await documents.list('templates', [], { limit: 100, offset: 0 })
  return Object.fromEntries(page!.rows.map(({ id, data }) => [id, data['subject']]))
}
const change = (id: string, data: DocumentData) =>
  documents.update({ collection: 'templates', id }, (known) => ({ ...known, ...data }), null)
const changesCount = async () => {
  const { rows } = await database.pool.query<{ n: number }>(
    'select coalesce(sum(last_change), 0) as n from hosted_collections',
  )
  return Number(rows[0]?.n)
}

describe('the library', () => {
  it('GLOBAL-12 is seeded in the order of the release, under its ids', async () => {
    expect(await seed({ 'global-welcome': '1', 'global-receipt': '1' })).toEqual({ createdCount: 2, updatedCount: 0 })
    expect(Object.keys(await shown())).toEqual(['global-welcome', 'global-receipt'])
  })

  it('is not changed by another start of the same release', async () => {
    await seed({ 'global-welcome': '1' })
    const before = await changesCount()
    expect(await seed({ 'global-welcome': '1' })).toEqual({ createdCount: 0, updatedCount: 0 })
    expect(await changesCount()).toBe(before)
  })

  it('is updated by another release unless the operator changed it, and gets new templates', async () => {
    await seed({ 'global-welcome': '1', 'global-receipt': '1' })
    expect(await seed({ 'global-welcome': '2', 'global-receipt': '1', 'global-sale': '1' })).toEqual({
      createdCount: 1,
      updatedCount: 1,
    })
    expect(await shown()).toEqual({
      'global-welcome': 'global-welcome 2',
      'global-receipt': 'global-receipt 1',
      'global-sale': 'global-sale 1',
    })
  })

  it('keeps the operator’s changes, release after release', async () => {
    await seed({ 'global-welcome': '1' })
    await change('global-welcome', { subject: 'Ours' })
    await seed({ 'global-welcome': '2' })
    await seed({ 'global-welcome': '3' })
    expect(await shown()).toEqual({ 'global-welcome': 'Ours' })
  })

  it('updates a template again after the operator has restored it', async () => {
    await seed({ 'global-welcome': '1' })
    await change('global-welcome', { subject: 'Ours' })
    await seed({ 'global-welcome': '2' })
    await change('global-welcome', { subject: 'global-welcome 1' })
    await seed({ 'global-welcome': '3' })
    expect(await shown()).toEqual({ 'global-welcome': 'global-welcome 3' })
  })

  it('does not restore what the operator has deleted', async () => {
    await seed({ 'global-welcome': '1' })
    await documents.remove('templates', 'global-welcome')
    await seed({ 'global-welcome': '2' })
    expect(await shown()).toEqual({})
  })

  it('never replaces an operator’s document with the same id', async () => {
    await documents.create({ collection: 'templates', id: 'global-sale', data: { subject: 'Ours' } }, null)
    expect(await seed({ 'global-sale': '1' })).toEqual({ createdCount: 0, updatedCount: 0 })
    await seed({ 'global-sale': '2' })
    expect(await shown()).toEqual({ 'global-sale': 'Ours' })
    await documents.remove('templates', 'global-sale')
    await seed({ 'global-sale': '3' })
    expect(await shown()).toEqual({})
  })

  it('keeps templates that a release no longer has', async () => {
    await seed({ 'global-welcome': '1', 'global-old': '1' })
    await seed({ 'global-welcome': '1' })
    expect(Object.keys(await shown())).toEqual(['global-welcome', 'global-old'])
  })

  it('is seeded once by processes that start together', async () => {
    const seeded = await Promise.all(
      Array.from({ length: 4 }, () => seed({ 'global-welcome': '1', 'global-sale': '1' })),
    )
    expect(seeded.reduce((sum, { createdCount }) => sum + createdCount, 0)).toBe(2)
    expect(Object.keys(await shown())).toHaveLength(2)
  })
})
