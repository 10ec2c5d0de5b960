import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Scope } from '../server/domain/auth/scope.ts'
import { createContactStore } from '../server/store/contacts/contact.ts'
import { createLiveSegmentStore } from '../server/store/segments/live-segment.ts'
import { createRuleContextStore } from '../server/store/segments/rule-context.ts'
import { createEvaluationLoad } from '../server/usecases/segments/evaluation-load.ts'
import { createLiveSegmentRunner } from '../server/usecases/segments/live-segment-runner.ts'
import { scopeOf, systemScope } from '../tests/support/scope.ts'
import { addContacts } from './audience/segment-contacts.ts'
import { field, liveRules, typicalRules, type RuleObjects } from './audience/segment-rules.ts'
import { createArena, type Arena } from './engine/arena.ts'
import { quantile, type Bench, type Figure } from './report.ts'

type Row = Omit<Figure, 'bench'>

const contactsCount = 1_000_000
const roundsCount = 3
const exactLimitMs = 1500
const estimateLimitMs = 100
const timeoutMs = 120_000

const changesPerSecond = 3000
const changeBatchCount = 1000
const changeSeconds = 20
const lagLimitMs = 5000
const lagPollMs = 20

const mailsCount = 20_000
const connectionCount = 10
const leastEngineRatio = 0.85

/** Rules and live segments on a million contacts. Runs only if named. */
export const audienceSegmentsBench: Bench = {
  name: 'audience-segments',
  partOf: 'audience',
  title: `Segments of ${contactsCount} contacts: 30 typical rules, 50 live segments, sending while they are rebuilt`,
  isLong: true,
  async run() {
    await using arena = await createArena()
    const { pool } = arena.database
    const { rows } = await pool.query<{ id: string }>('select id from workspaces')
    const scope = scopeOf(rows[0]?.id ?? '')
    const objects = await addContacts(pool, scope.workspaceId, contactsCount)
    const ruleRows = await measureRules(pool, scope, objects)
    await addLiveSegments(pool, scope, objects)
    return [...ruleRows, ...(await measureLag(pool, scope)), await measureSending(arena, scope)]
  },
}

async function measureRules(pool: Pool, scope: Scope, objects: RuleObjects): Promise<Row[]> {
  const store = createContactStore({ pool })
  const { context, timezone } = await createRuleContextStore({ pool }).read(scope, new Date())
  const exact: number[] = []
  const estimates: number[] = []
  const errors: number[] = []
  const slowest: Record<string, number> = {}
  for (const [name, rule] of Object.entries(typicalRules(objects))) {
    const selection = { search: null, listId: null, status: null, rule: { rule, context, timezone } }
    let counted = 0
    const own: number[] = []
    for (let round = 0; round < roundsCount; round++) {
      const startedAt = performance.now()
      counted = await store.count(scope, selection, timeoutMs)
      own.push(performance.now() - startedAt)
    }
    exact.push(...own)
    slowest[name] = quantile(own, 0.5)
    for (let round = 0; round < roundsCount; round++) {
      const startedAt = performance.now()
      const estimate = await store.estimate(scope, selection)
      if (estimate === null) break
      estimates.push(performance.now() - startedAt)
      if (round === 0) errors.push(Math.abs(estimate - counted) / contactsCount)
    }
  }
  const three = Object.entries(slowest)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
  return [
    {
      case: '30 rules, exact, p95',
      value: quantile(exact, 0.95),
      unit: 'ms',
      baseline: exactLimitMs,
      against: 'limit',
    },
    ...three.map(([name, value]): Row => ({ case: `  ${name}`, value, unit: 'ms', baseline: null, against: '' })),
    {
      case: `estimates of ${estimates.length / roundsCount} of them, p95`,
      value: quantile(estimates, 0.95),
      unit: 'ms',
      baseline: estimateLimitMs,
      against: 'limit',
    },
    {
      case: 'error of an estimate, at most',
      value: 100 * Math.max(...errors),
      unit: '% of all',
      baseline: null,
      against: '',
    },
  ]
}

async function addLiveSegments(pool: Pool, { workspaceId }: Scope, objects: RuleObjects): Promise<void> {
  for (const [at, rule] of liveRules(objects).entries())
    await pool.query(
      `insert into segments (workspace_id, name, rule, is_live, next_evaluation_at, created_at, updated_at)
       values ($1, $2, $3, true, now(), now() - interval '1 hour', now() - interval '1 hour')`,
      [workspaceId, `Live ${at}`, JSON.stringify(rule)],
    )
}

/** Follows live segments in this process, as a server does. */
function startRunner(pool: Pool) {
  const live = createLiveSegmentStore({ pool })
  const runner = createLiveSegmentRunner({
    live,
    ruleContext: createRuleContextStore({ pool }),
    listTouched: () => live.listTouched(systemScope),
    findDue: (now) => live.findDue(systemScope, now),
    scopeOf,
    load: createEvaluationLoad({ isSending: () => live.isSending(systemScope) }),
    now: () => new Date(),
    onError: (error) => console.error(error),
  })
  runner.start()
  return runner
}

/** Lag of 50 live segments behind changes of contacts: from the end of the change to the change of the members. */
async function measureLag(pool: Pool, scope: Scope): Promise<Row[]> {
  const runner = startRunner(pool)
  const rebuildAt = performance.now()
  const isDue = async () =>
    (await pool.query('select from segments where is_live and evaluated_at is null limit 1')).rowCount === 1
  while (await isDue()) await sleep(lagPollMs)
  const rebuildSeconds = (performance.now() - rebuildAt) / 1000
  const store = createContactStore({ pool })
  const lags: Promise<number>[] = []
  const beganAt = performance.now()
  const batchesCount = (changesPerSecond * changeSeconds) / changeBatchCount
  for (let batch = 0; batch < batchesCount; batch++) {
    const entries = Array.from({ length: changeBatchCount }, (_, at) => {
      const n = 1 + (((batch * changeBatchCount + at) * 16) % contactsCount)
      const email = `person${n}@mail${n % 997}.example.com`
      // The first one joins the segment of Berlin with any score.
      const fields = at === 0 ? { [field.city]: 'Berlin', [field.score]: 990 } : { [field.score]: (batch + at) % 1000 }
      return { email, key: email, fields }
    })
    const { ids } = await store.upsert(scope, entries, { source: 'api', at: new Date(), maxBytes: 65_536 })
    lags.push(untilMember(pool, scope, ids[0] ?? 0))
    const ahead = beganAt + ((batch + 1) * 1000 * changeBatchCount) / changesPerSecond - performance.now()
    if (ahead > 0) await sleep(ahead)
  }
  const rate = (batchesCount * changeBatchCount) / ((performance.now() - beganAt) / 1000)
  const all = await Promise.all(lags)
  await runner.close()
  return [
    { case: 'first evaluation of 50 live segments', value: rebuildSeconds, unit: 's', baseline: null, against: '' },
    { case: 'contacts changed', value: rate, unit: '/s', baseline: changesPerSecond, against: 'wanted' },
    {
      case: 'lag of live segments, p99',
      value: quantile(all, 0.99),
      unit: 'ms',
      baseline: lagLimitMs,
      against: 'limit',
    },
  ]
}

async function untilMember(pool: Pool, { workspaceId }: Scope, contactId: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { rowCount } = await pool.query(
      `select from segment_members m join segments s on s.workspace_id = m.workspace_id and s.id = m.segment_id
       where m.workspace_id = $1 and m.contact_id = $2 and s.name = 'Live 0'`,
      [workspaceId, contactId],
    )
    if (rowCount === 1) return performance.now() - startedAt
    await sleep(lagPollMs)
  }
}

/** The rate of the engine without rebuilds, and while all live segments are rebuilt over and over. */
async function measureSending(arena: Arena, { workspaceId }: Scope): Promise<Row> {
  const { pool } = arena.database
  await arena.startWorker('one')
  const send = async () => {
    const { mailboxId, resume } = await arena.addMailbox(connectionCount)
    await arena.addCampaign(mailboxId, mailsCount)
    const startedAt = performance.now()
    await resume()
    await arena.untilLeft(0)
    return mailsCount / ((performance.now() - startedAt) / 1000)
  }
  await send() // The first one warms up the worker.
  const alone = await send()
  const runner = startRunner(pool)
  const renew = () =>
    pool.query('update segments set next_evaluation_at = now() where workspace_id = $1 and is_live', [workspaceId])
  await renew()
  const again = setInterval(() => void renew(), 1000)
  const beside = await send()
  clearInterval(again)
  await runner.close()
  return {
    case: 'sending while 50 segments are rebuilt',
    value: beside,
    unit: '/s',
    baseline: leastEngineRatio * alone,
    against: `${leastEngineRatio} × alone`,
  }
}
