import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Import } from '../../contract/audience/imports/import.ts'
import type { List } from '../../contract/audience/list.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import type { Figure } from '../report.ts'
import { prepareImport, signIn, untilState } from '../../tests/support/import-process.ts'
import { openOwnDatabase } from './own-database.ts'
import { peopleCsv } from './people.ts'

const rowCount = 200_000
const killCount = 20

/** Kills the server while it imports, again and again, and compares the contacts with the file. */
export async function measureKills(): Promise<Omit<Figure, 'bench'>[]> {
  await using home = await createServerHome({ WORKERS: '0' })
  let server = await home.start()
  let member = await signIn(server)
  const list = await member.call<List>('POST', '/email/lists', { name: 'All' })
  const { id } = await prepareImport(member, peopleCsv(rowCount), { list_id: list.id })
  await member.call('POST', `/email/imports/${id}/start`)
  const resumeMs: number[] = []
  for (let kill = 1; kill <= killCount; kill++) {
    const wanted = (rowCount / (killCount + 1)) * kill
    while (writtenRows(await member.call<Import>('GET', `/email/imports/${id}`)) < wanted) await sleep(5)
    await sleep(kill * 7)
    const before = writtenRows(await member.call<Import>('GET', `/email/imports/${id}`))
    await server.end('SIGKILL')
    const killedAt = performance.now()
    server = await home.start()
    member = await signIn(server)
    while (writtenRows(await member.call<Import>('GET', `/email/imports/${id}`)) <= before) await sleep(20)
    resumeMs.push(performance.now() - killedAt)
  }
  const done = await untilState(member, id, 'done')
  const database = await openOwnDatabase(home.path)
  const { lost, doubled } = await compare(database.pool, done)
  await database.close()
  await server.end('SIGTERM')
  const none = { unit: 'rows', baseline: 0, against: 'limit' }
  return [
    { case: `rows lost by ${killCount} kills`, value: lost, ...none },
    { case: 'rows doubled', value: doubled, ...none },
    { case: 'until it goes on, worst', value: Math.max(...resumeMs) / 1000, unit: 's', baseline: null, against: '' },
  ]
}

const writtenRows = ({ counts }: Import) => (counts ? counts.added + counts.unchanged + counts.updated : 0)

/** Rows of the file that are no contact and member, and rows that were counted or written more than once. */
async function compare(pool: Pool, { counts }: Import): Promise<{ lost: number; doubled: number }> {
  const { rows } = await pool.query<{ contacts: number; addresses: number; members: number; numbers: number }>(
    `select count(*) as contacts, count(distinct email_key) as addresses,
       count(distinct split_part(split_part(email_key, '@', 1), '.', 2)::int) as numbers,
       (select count(*) from list_members) as members
     from contacts`,
  )
  const [{ contacts, addresses, members, numbers } = { contacts: 0, addresses: 0, members: 0, numbers: 0 }] = rows
  const counted = (counts?.added ?? 0) + (counts?.updated ?? 0) + (counts?.unchanged ?? 0) + (counts?.refused ?? 0)
  return {
    lost: rowCount - Math.min(numbers, members, counted),
    doubled: Math.max(contacts - addresses, counted - rowCount, members - contacts, 0),
  }
}
