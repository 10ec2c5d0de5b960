import { afterAll, beforeAll, expect, it } from 'vitest'
import { verdicts } from '../../../contract/results/event.ts'
import { createEventWorld, listedNetworkLabel, type Act } from '../../../tests/support/event-world.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => undefined)
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})

const recipientCount = 10_000
const linkCount = 8
const secondMs = 1000
const minuteMs = 60 * secondMs

let seed = 11
const random = (limit: number) => (seed = (seed * 16_807) % 2_147_483_647) % limit
const isOneOf = (percent: number) => random(1000) < percent * 10
const pick = <T>(values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0]

type Hit = Omit<Act, 'who'>

/** What arrives for a mail, and what its person did. */
interface Story {
  hits: Hit[]
  isOpened: boolean
  isClicked: boolean
}

const from = (address: string): Pick<Hit, 'net' | 'netLabel'> => ({
  net: address.replace(/\.\d+$/, ''),
  netLabel: listedNetworkLabel(address),
})
const byte = () => 1 + random(250)
const home = (): Pick<Hit, 'net' | 'netLabel'> => from(`93.${184 + random(30)}.${byte()}.${byte()}`)

/** A person who reads the mail in a program that loads images itself, or through an image proxy. */
function readByPerson(proxy: Hit['agent'] | null, opensAreSeen = true): Story {
  const story: Story = { hits: [], isOpened: false, isClicked: false }
  if (!isOneOf(45)) return story
  const own = { ...home(), agent: pick(['firefox', 'chrome', 'iphone', 'android'] as const) }
  const openedMs = 30 * secondMs + random(90 * minuteMs)
  if (opensAreSeen) {
    const by = proxy ? { ...from(`66.249.${byte()}.${byte()}`), agent: proxy } : own
    story.hits.push({ ...by, afterMs: openedMs })
    story.isOpened = true
    // Back to the mail later.
    if (isOneOf(30)) story.hits.push({ ...by, afterMs: openedMs + random(20 * minuteMs) })
  }
  if (!isOneOf(35)) return story
  const clicks = 1 + random(3)
  // A hasty person looks like a scanner.
  let atMs = isOneOf(1) ? 4 * secondMs : openedMs + 2 * secondMs
  for (let click = 0; click < clicks; click++) {
    story.hits.push({ ...own, afterMs: atMs, link: 1 + random(linkCount) })
    // Some open several links at once, in tabs.
    atMs += isOneOf(3) ? 1500 : 6 * secondMs + random(minuteMs)
  }
  story.isClicked = true
  return story
}

/** All links, one after the other, within a few seconds of the arrival, or of a second look. */
function scan(address: string, agent: Hit['agent'], arrivedMs: number, gapMs: number): Hit[] {
  const own = { ...from(address), ...(agent && { agent }) }
  const links = Array.from({ length: linkCount }, (_, no) => ({
    ...own,
    afterMs: arrivedMs + no * gapMs + random(gapMs + 1),
    link: no + 1,
  }))
  return [{ ...own, afterMs: arrivedMs }, ...links]
}

const withHits = (story: Story, hits: Hit[]): Story => ({ ...story, hits: [...hits, ...story.hits] })

/** By share in percent. */
const kinds: readonly [share: number, tell: () => Story][] = [
  [25, () => readByPerson(null)],
  [
    20,
    () =>
      withHits(
        readByPerson('gmail'),
        isOneOf(30) ? [{ ...from(`66.249.${byte()}.${byte()}`), agent: 'gmailPrefetch', afterMs: random(9000) }] : [],
      ),
  ],
  // A proxy that fetches the image on arrival too.
  [
    5,
    () => withHits(readByPerson('yahoo'), [{ ...from(`98.136.1.${byte()}`), agent: 'yahoo', afterMs: random(8000) }]),
  ],
  [
    20,
    () => {
      // The relay loads every image; that a person read the mail shows in a click only.
      const story = readByPerson(null, false)
      const relay = { ...from(`172.225.${byte()}.${byte()}`), agent: 'apple' as const, afterMs: random(20 * secondMs) }
      return { ...withHits(story, [relay]), isOpened: story.isClicked }
    },
  ],
  [8, () => scanned(`40.94.${byte()}.${byte()}`, 'chrome', 400)],
  [6, () => scanned(`148.163.150.${byte()}`, 'firefox', 900)],
  [6, () => scanned(`205.139.110.${byte()}`, 'chrome', 2000)],
  // From a network that no list has: only the burst gives them away. A few follow one link like a person.
  [
    5,
    () =>
      isOneOf(2)
        ? withHits(readByPerson(null), [{ ...home(), agent: 'chrome', afterMs: 40 * secondMs, link: 1 }])
        : scanned(`203.0.113.${byte()}`, 'chrome', 500),
  ],
  [
    5,
    () => {
      const story = readByPerson(null)
      const shared = story.hits.find(({ link }) => link !== undefined)
      if (shared === undefined) return story
      const previews = (['slack', 'whatsapp'] as const).map((agent, no) => ({
        ...from(`198.51.${no + 1}.7`),
        agent,
        link: shared.link ?? 1,
        afterMs: shared.afterMs + 5 * minuteMs + no * secondMs,
      }))
      return { ...story, hits: [...story.hits, ...previews] }
    },
  ],
]

/** A person's mail that a scanner has opened first; the scan may begin a while after the arrival. */
function scanned(address: string, agent: Hit['agent'], gapMs: number): Story {
  return withHits(readByPerson(null), scan(address, agent, pick([500, 3000, 15_000] as const), gapMs))
}

function tell(): Story {
  let left = random(100)
  for (const [share, of] of kinds) {
    left -= share
    if (left < 0) return of()
  }
  throw new Error('the shares are not 100 together')
}

it('acts of people among 10,000 recipients with relays, proxies, scanners and previews are found with 0.99 precision and 0.97 recall', async () => {
  const world = await createEventWorld(database, { count: recipientCount, acceptedAgoMs: 3 * 60 * minuteMs })
  const stories = Array.from({ length: recipientCount }, tell)
  const atOnceCount = 500
  for (let first = 0; first < recipientCount; first += atOnceCount) {
    const acts = stories
      .slice(first, first + atOnceCount)
      .flatMap(({ hits }, at) =>
        hits.toSorted((a, b) => a.afterMs - b.afterMs).map((hit) => ({ who: first + at, ...hit })),
      )
    await world.act(...acts)
    await world.digest()
  }
  const { rows } = await database.pool.query<{ id: number; opened: number | null; clicked: number | null }>(
    `select delivery_id as id, open_verdict as opened, click_verdict as clicked from engagements
     where workspace_id = $1 and source_id = $2`,
    [world.workspaceId, world.campaignId],
  )
  const found = new Map(rows.map(({ id, opened, clicked }) => [id, { opened, clicked }]))
  const rate = (isAct: (story: Story) => boolean, act: 'opened' | 'clicked') => {
    const of = stories.map((story, who) => ({
      isTrue: isAct(story),
      isFound: found.get(world.deliveries[who]?.id ?? 0)?.[act] === verdicts.human,
    }))
    const count = (test: (one: (typeof of)[number]) => boolean) => of.filter(test).length
    const hit = count(({ isTrue, isFound }) => isTrue && isFound)
    return { precision: hit / count(({ isFound }) => isFound), recall: hit / count(({ isTrue }) => isTrue), hit }
  }
  const [opens, clicks] = [rate((story) => story.isOpened, 'opened'), rate((story) => story.isClicked, 'clicked')]
  expect(opens.hit).toBeGreaterThan(2500)
  expect(clicks.hit).toBeGreaterThan(1000)
  for (const { precision, recall } of [opens, clicks]) {
    expect(precision).toBeGreaterThanOrEqual(0.99)
    expect(recall).toBeGreaterThanOrEqual(0.97)
  }
})
