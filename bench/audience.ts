import { createServerHome } from '../tests/support/server-home.ts'
import { prepareImport, signIn, untilState } from '../tests/support/import-process.ts'
import { measureContactCalls } from './audience/contact-calls.ts'
import { measureExport } from './audience/export.ts'
import { measureKills } from './audience/kills.ts'
import { openOwnDatabase } from './audience/own-database.ts'
import { peopleColumns, peopleCsv } from './audience/people.ts'
import { peakMiB, resetPeak, watchChildPeak } from './audience/resident-memory.ts'
import { importRowAtATime } from './audience/row-at-a-time.ts'
import type { Bench } from './report.ts'

const contactsCount = 1_000_000
const importLimitSeconds = 40
const memoryLimitMiB = 250
/** Of the import's rate to that of a row at a time. */
const leastRatio = 2.5

/**
 * A workspace with a million contacts: their import by HTTP into a server with its own database, the calls of the contacts
 * screen, the export. Runs only if named.
 */
export const audienceBench: Bench = {
  name: 'audience',
  title: `A million contacts: import of ${peopleColumns.length} columns, the calls of the screen (p95), export`,
  isLong: true,
  async run() {
    const file = peopleCsv(contactsCount)
    await using home = await createServerHome({ WORKERS: '0', CALLS_PER_SECOND: '0', LOG_LEVEL: 'warn' })
    const server = await home.start()
    const pid = server.child.pid ?? 0
    const member = await signIn(server)
    const { id, checkSeconds } = await prepareImport(member, file)
    await resetPeak(pid)
    const child = watchChildPeak(pid, 'import-process')
    const startedAt = performance.now()
    await member.call('POST', `/email/imports/${id}/start`)
    const { counts } = await untilState(member, id, 'done')
    const seconds = (performance.now() - startedAt) / 1000
    const memory = child.end()
    const serverMemory = await peakMiB(pid)
    if (counts?.added !== contactsCount) throw new Error(`The import added ${counts?.added ?? 0} contacts`)

    const database = await openOwnDatabase(home.path)
    const calls = await measureContactCalls(database.pool, member, contactsCount)
    await database.close()
    const exported = await measureExport(member, pid, contactsCount)
    await server.end('SIGTERM')
    const rate = contactsCount / seconds
    const baseline = leastRatio * (await importRowAtATime(file))
    return [
      { case: 'import', value: seconds, unit: 's', baseline: importLimitSeconds, against: 'limit' },
      { case: 'import, rows', value: rate, unit: '/s', baseline, against: `${leastRatio} × a row at a time` },
      {
        case: 'import, resident memory of its process at most',
        value: memory,
        unit: 'MiB',
        baseline: memoryLimitMiB,
        against: 'limit',
      },
      { case: 'import, resident memory of the server', value: serverMemory, unit: 'MiB', baseline: null, against: '' },
      { case: 'check before the import', value: checkSeconds, unit: 's', baseline: null, against: '' },
      ...exported,
      ...calls,
    ]
  },
}

/** Kills during an import: nothing is lost, nothing is doubled. Runs with `audience`. */
export const audienceKillsBench: Bench = {
  name: 'audience-kills',
  partOf: 'audience',
  title: 'kill -9 of the server during an import, 20 times',
  isLong: true,
  run: measureKills,
}
