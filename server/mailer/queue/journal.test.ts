import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal, type Journal } from './journal.ts'
import { readBootId, readOrphanedJournals } from './journal-reader.ts'

let folder: string
let journals: Journal[]

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sendwright-journal-')), 'journal')
  journals = []
})

afterEach(() => {
  for (const journal of journals) journal.close()
  rmSync(join(folder, '..'), { recursive: true })
})

function open(given: { segmentMaxBytes?: number; bootId?: string; holder?: string } = {}): Journal {
  const journal = openJournal({ folder, newId: () => randomUUID(), bootId: null, holder: 'sender-1', ...given })
  journals.push(journal)
  return journal
}

const key = (id: number) => ({ id, token: randomUUID() })
const files = () => readdirSync(folder)

describe('a journal', () => {
  it('passes intents, replies and withdrawals to a later process, each with its claim', () => {
    const segment = open().hold()
    const [untouched, intended, answered, withdrawn, again] = [1, 2, 3, 4, 5].map(key) as [
      ReturnType<typeof key>,
      ...ReturnType<typeof key>[],
    ]
    for (const one of [intended, answered, withdrawn, again]) segment.intend(one!)
    segment.reply(answered!, '250 2.0.0 OK')
    segment.withdraw(withdrawn!)
    segment.withdraw(again!)
    segment.intend(again!)

    const [left] = readOrphanedJournals(folder, null)
    expect(left?.owner).toBe(segment.owner)
    expect([untouched, intended!, answered!, withdrawn!, again!].map((one) => left?.find(one))).toEqual([
      undefined,
      { kind: 'intended' },
      { kind: 'replied', reply: '250 2.0.0 OK' },
      { kind: 'withdrawn' },
      { kind: 'intended' },
    ])
    expect(left?.find({ ...answered!, token: randomUUID() })).toBeUndefined()
  })

  it('has written an intent to the file when intend returns', () => {
    const segment = open().hold()
    const one = key(7)
    segment.intend(one)
    expect(readFileSync(join(folder, files()[0]!), 'utf8')).toBe(`H sender-1\nI 7 ${one.token}\n`)
  })

  it('stores a multi-line reply as one entry, written at the end of the task', async () => {
    const segment = open().hold()
    const one = key(1)
    segment.reply(one, '250-a\r\nI 2 x\r\n250 b\0')
    await Promise.resolve()
    expect(readOrphanedJournals(folder, null)[0]?.find(one)).toEqual({ kind: 'replied', reply: '250-a I 2 x 250 b' })
  })

  it('ignores a truncated last line, and other invalid lines', () => {
    const segment = open().hold()
    const [whole, torn] = [key(1), key(2)]
    segment.intend(whole)
    const path = join(folder, files()[0]!)
    appendFileSync(
      path,
      Buffer.concat([Buffer.alloc(50), Buffer.from(`\n\nX\nI 3\nI ${torn.id} ${torn.token.slice(0, 20)}`)]),
    )
    const [left] = readOrphanedJournals(folder, null)
    expect(left?.find(whole)).toEqual({ kind: 'intended' })
    expect(left?.find(torn)).toBeUndefined()
    appendFileSync(path, torn.token.slice(20))
    expect(readOrphanedJournals(folder, null)[0]?.find(torn)).toBeUndefined()
    appendFileSync(path, '\n')
    expect(readOrphanedJournals(folder, null)[0]?.find(torn)).toEqual({ kind: 'intended' })
  })

  it('is removed when it is closed without claims, and kept with open ones', () => {
    const done = open()
    done.hold().release()
    done.close()
    expect(files()).toEqual([])
    const interrupted = open()
    const { owner } = interrupted.hold()
    interrupted.close()
    expect(files()).toEqual([`${owner}.journal`])
  })

  it('starts a new file above the size limit, and removes the old one with its last claim', () => {
    const journal = open({ segmentMaxBytes: 50 })
    const first = journal.hold()
    expect(journal.hold()).toBe(first)
    first.intend(key(1))
    first.intend(key(2))
    const second = journal.hold()
    expect(second).not.toBe(first)
    expect(journal.owners()).toEqual([first.owner, second.owner])
    first.reply(key(1), '250 OK')
    first.release()
    expect(files()).toHaveLength(2)
    first.release()
    expect(files()).toEqual([`${second.owner}.journal`])
    expect(journal.owners()).toEqual([second.owner])
  })

  it('starts a new file above 4 MiB where no limit is given', () => {
    const startsNewAt = (bytes: number) => {
      const journal = open({ holder: 'x'.repeat(bytes - 'H \n'.length) })
      const [first] = journal.owners()
      return journal.hold().owner !== first
    }
    expect([startsNewAt(4_194_304), startsNewAt(4_194_305)]).toEqual([false, true])
  })

  it('names the sender whose connection slots recovery must release', () => {
    open().hold()
    expect(readOrphanedJournals(folder, null)[0]?.holder).toBe('sender-1')
  })

  it('accepts no entry after it is closed', () => {
    const journal = open()
    const segment = journal.hold()
    journal.close()
    writeFileSync(join(folder, 'other'), '')
    expect(() => segment.intend(key(1))).toThrow()
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('')
  })

  it('detects a journal from before a reboot', () => {
    open({ bootId: 'boot-1' }).hold()
    expect(readOrphanedJournals(folder, 'boot-1')[0]?.mayBeTruncated).toBe(false)
    expect(readOrphanedJournals(folder, 'boot-2')[0]?.mayBeTruncated).toBe(true)
    expect(readOrphanedJournals(folder, null)[0]?.mayBeTruncated).toBe(false)
  })

  it('returns no journal for a missing folder', () => {
    expect(readOrphanedJournals(join(folder, 'nowhere'), null)).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('the boot id', () => {
  it('is stable', () => {
    expect(readBootId()).toMatch(/^[0-9a-f-]{36}$/)
    expect(readBootId()).toBe(readBootId())
  })
})
