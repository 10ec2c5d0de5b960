import type { Figure } from '../report.ts'
import type { Member } from '../../tests/support/import-process.ts'
import { peakMiB, resetPeak } from './resident-memory.ts'

const limitSeconds = 10

/** The export of all contacts as CSV: its duration, and by how much the memory grows behind its first tenth. */
export async function measureExport(
  member: Member,
  pid: number,
  contactsCount: number,
): Promise<Omit<Figure, 'bench'>[]> {
  await resetPeak(pid)
  const startedAt = performance.now()
  const { body } = await member.open('/email/contacts/export')
  let lines = -1
  let early = Number.NaN
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1
    if (Number.isNaN(early) && lines > contactsCount / 10) early = await peakMiB(pid)
  }
  const seconds = (performance.now() - startedAt) / 1000
  if (lines !== contactsCount) throw new Error(`The export has ${lines} rows`)
  const peak = await peakMiB(pid)
  return [
    { case: 'export', value: seconds, unit: 's', baseline: limitSeconds, against: 'limit' },
    {
      case: 'export, resident memory at most',
      value: peak,
      unit: 'MiB',
      baseline: early,
      against: 'in its first tenth',
    },
  ]
}
