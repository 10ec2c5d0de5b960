import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { prepareImport, signIn, untilState } from '../support/import-process.ts'
import type { Contact } from '../../contract/audience/contact.ts'
import type { Import } from '../../contract/audience/imports/import.ts'
import type { List } from '../../contract/audience/list.ts'
import { createServerHome } from '../support/server-home.ts'

const rowCount = 40_000
const killCount = 3
/** Each thousandth row has no address, each hundredth one repeats the address of the row before it. */
const addressOf = (at: number) =>
  at % 1000 === 999 ? 'no address' : `person${at % 100 === 50 ? at - 1 : at}@example.org`
const refusedCount = rowCount / 1000
const repeatedCount = rowCount / 100
const csv = Buffer.from(
  `email,first name\n${Array.from({ length: rowCount }, (_, at) => `${addressOf(at)},"Person\n${at}"\n`).join('')}`,
)

it('IMPORT-16 kill -9 three times during an import: it goes on by itself, and every row was imported once', async () => {
  await using home = await createServerHome({ WORKERS: '0' })
  let server = await home.start()
  let member = await signIn(server)
  const list = await member.call<List>('POST', '/email/lists', { name: 'Everybody' })
  const { id } = await prepareImport(member, csv, { list_id: list.id })
  await member.call('POST', `/email/imports/${id}/start`)

  const written = async () => (await member.call<Import>('GET', `/email/imports/${id}`)).counts?.added ?? 0
  for (let kill = 1; kill <= killCount; kill++) {
    const wanted = ((rowCount - refusedCount - repeatedCount) / (killCount + 1)) * kill
    while ((await written()) < wanted * 0.4) await sleep(5)
    // At another point of a batch each time.
    await sleep(kill * 10)
    const before = await member.call<Import>('GET', `/email/imports/${id}`)
    expect(before.state).toBe('running')
    await server.end('SIGKILL')
    server = await home.start()
    member = await signIn(server)
    const after = await member.call<Import>('GET', `/email/imports/${id}`)
    expect(after.state).toBe('running')
    expect(after.counts?.added).toBeGreaterThanOrEqual(before.counts?.added ?? 0)
  }

  const { counts } = await untilState(member, id, 'done')
  expect(counts).toEqual({
    added: rowCount - refusedCount - repeatedCount,
    updated: 0,
    unchanged: repeatedCount,
    refused: refusedCount,
    suppressed: 0,
    repeated: repeatedCount,
    empty: 0,
  })
  const refusals = await (await member.open(`/email/imports/${id}/refusals`)).text()
  expect(refusals.match(/no address,/g)).toHaveLength(refusedCount)
  const { member_count: memberCount } = await member.call<List>('GET', `/email/lists/${list.id}`)
  expect(memberCount).toBe(rowCount - refusedCount - repeatedCount)
  const exported = await (await member.open('/email/contacts/export?format=ndjson')).text()
  const found = exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Contact)
  expect(new Map(found.map(({ email, fields }) => [email, fields['first_name']]))).toEqual(
    new Map(
      Array.from({ length: rowCount }, (_, at) => [addressOf(at), `Person\n${at}`] as const).filter(
        ([email]) => email !== 'no address',
      ),
    ),
  )
  expect(found).toHaveLength(memberCount)
  expect(await server.end('SIGTERM')).toBe(0)
}, 300_000)
