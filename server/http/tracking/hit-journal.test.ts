import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordedHit } from '../../domain/tracking/hit.ts'
import { HitJournal } from './hit-journal.ts'

let folder: string
let journal: HitJournal
let nowMs = 1_800_000_000_000
const start = (options: { maxBytes?: number; segmentMaxBytes?: number } = {}) =>
  new HitJournal({ folder, newId: randomUUID, nowMs: () => nowMs++, ...options })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendwright hits '))
})
afterEach(async () => {
  journal.close()
  await rm(folder, { recursive: true, force: true })
})

const hit = (no: number, kind: RecordedHit['kind'] = 'clicked'): RecordedHit => ({
  at: new Date(1_790_000_000_000 + no),
  kind,
  mail: { workspaceNo: 4_000_000_000, month: '2026-11-01', messageId: randomUUID(), deliveryId: 2 ** 40 + no },
  linkNo: kind === 'opened' ? null : no,
  agent: 'Mozilla/5.0 (ümlaut)',
  netHash: Buffer.from('12345678'),
  netLabel: kind === 'opened' ? null : 7,
  flags: 1,
})
const append = (one: RecordedHit) => new Promise<boolean>((resolve) => journal.append(one, resolve))
const readAll = (from = { segment: 0, byteOffset: 0 }) => {
  const found: RecordedHit[] = []
  for (let at = from, batch = journal.read(at, 3); batch; batch = journal.read(at, 3)) {
    found.push(...batch.hits)
    at = batch.next
  }
  return found
}
const beginning = { segment: 0, byteOffset: 0 }

describe('the hit journal', () => {
  it('returns hits as they were written, in their order, over files and restarts', async () => {
    journal = start({ segmentMaxBytes: 300 })
    const hits = Array.from({ length: 10 }, (_, no) => hit(no + 1, no % 2 ? 'opened' : 'clicked'))
    for (const one of hits.slice(0, 5)) expect(await append(one)).toBe(true)
    const { writer } = journal
    journal.close()
    journal = start({ segmentMaxBytes: 300 })
    for (const one of hits.slice(5)) await append(one)
    expect(journal.writer).toBe(writer)
    expect(readAll()).toEqual(hits)
    const batch = journal.read(beginning, 4)!
    expect([...batch.hits, ...readAll(batch.next)]).toEqual(hits)
  })

  it('ignores an incomplete last hit, whose client was not answered', async () => {
    journal = start()
    const [one, two] = [hit(1), hit(2)]
    await append(one)
    journal.close()
    const [file] = (await readdir(folder)).filter((name) => name.endsWith('.hits'))
    await appendFile(join(folder, file!), Buffer.from([0, 90, 1, 1]))
    journal = start()
    await append(two)
    expect(readAll()).toEqual([one, two])
  })

  it('TRACKING-26 With the hit journal full, opens are dropped and clicks are still recorded, until it is released', async () => {
    journal = start({ maxBytes: 1500, segmentMaxBytes: 200 })
    let opens = 0
    while (await append(hit(1, 'opened'))) opens++
    expect(opens).toBeGreaterThan(8)
    expect(await append(hit(2))).toBe(true)
    let clicks = 1
    while (await append(hit(3))) clicks++
    expect(journal.bytes).toBeLessThanOrEqual(1500)
    expect(readAll()).toHaveLength(opens + clicks)

    const batch = journal.read(beginning, 100)!
    journal.release({ segment: batch.next.segment + 1, byteOffset: 0 })
    expect(await append(hit(4, 'opened'))).toBe(true)
  })

  it('numbers its files above every earlier one, with an empty folder too', async () => {
    journal = start()
    await append(hit(1))
    const before = journal.read(beginning, 1)!.next
    journal.close()
    await rm(folder, { recursive: true })
    journal = start()
    await append(hit(2))
    expect(journal.read(before, 1)?.hits).toHaveLength(1)
  })
})
