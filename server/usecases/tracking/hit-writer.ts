import { setTimeout as sleep } from 'node:timers/promises'
import { nextBackoffMs } from '../../domain/core/backoff.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'
import type { Hit, JournalPosition, UserAgent } from '../../domain/events/new-event.ts'
import type { HitBatch, HitPosition, RecordedHit } from '../../domain/tracking/hit.ts'
import type { WorkspaceNumbers } from '../../store/directory/workspace-number.ts'

interface Ports {
  journal: {
    writer: string
    read: (position: HitPosition, maxCount: number) => HitBatch | null
    release: (position: HitPosition) => void
    onAppended: (callback: () => void) => void
  }
  inbox: {
    readPosition: (writer: string) => Promise<JournalPosition | null>
    /** False where the journal has reached that position already. */
    writeHits: (batch: {
      hits: readonly Hit[]
      agents: readonly UserAgent[]
      position: JournalPosition
    }) => Promise<boolean>
  }
  directory: Pick<WorkspaceNumbers, 'findWorkspaces'>
  system: SystemScope
  describeAgent: (text: string) => UserAgent
  log: { warn: (facts: Record<string, unknown>, text: string) => void }
  /** Hits of workspaces that do not exist any more. */
  noteUnknown: (count: number) => void
}

const batchMaxCount = 500
/** Hits of so much time are written together. */
const gatherMs = 50
const backoff = { minMs: 100, maxMs: 2000 }
const knownAgentsMaxCount = 10_000

/** Moves hits from the journal to the inbox of events. Returns a function that stops it after the batch in progress. */
export function startHitWriter({ journal, inbox, directory, system, describeAgent, log, noteUnknown }: Ports) {
  const stopping = new AbortController()
  const agents = new Map<string, UserAgent>()
  /** Agents that the database has. */
  const written = new Set<UserAgent>()
  let position: HitPosition | null = null
  let isAppended = false
  let wake: (() => void) | null = null
  journal.onAppended(() => {
    isAppended = true
    wake?.()
  })

  const agentOf = (text: string): UserAgent => {
    const known = agents.get(text)
    if (known) return known
    if (agents.size >= knownAgentsMaxCount) {
      agents.clear()
      written.clear()
    }
    const agent = describeAgent(text)
    agents.set(text, agent)
    return agent
  }

  const write = async ({ hits, next }: HitBatch): Promise<void> => {
    const numbers = hits.map(({ mail }) => mail.workspaceNo)
    const workspaces = await directory.findWorkspaces(system, numbers)
    const known = hits.flatMap((hit) => {
      const workspaceId = workspaces.get(hit.mail.workspaceNo)
      return workspaceId === undefined ? [] : [toHit(hit, workspaceId, agentOf(hit.agent))]
    })
    const seen = new Set(hits.map(({ agent }) => agentOf(agent)).filter((agent) => !written.has(agent)))
    // Texts that are cut to the same beginning are one agent.
    const unwritten = [...new Map([...seen].map((agent) => [agent.hash.toString('hex'), agent])).values()]
    await inbox.writeHits({ hits: known, agents: unwritten, position: { writer: journal.writer, ...next } })
    for (const agent of seen) written.add(agent)
    noteUnknown(hits.length - known.length)
  }

  /** Whether a batch was moved. */
  const moveBatch = async (): Promise<boolean> => {
    const from = position ?? (await inbox.readPosition(journal.writer)) ?? { segment: 0, byteOffset: 0 }
    position = from
    const batch = journal.read(from, batchMaxCount)
    if (batch === null) return false
    await write(batch)
    position = batch.next
    journal.release(position)
    return true
  }

  const waitForHits = async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    wake = () => resolve(undefined)
    if (!isAppended && !stopping.signal.aborted) await promise
    wake = null
    isAppended = false
    await sleep(gatherMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  const run = async () => {
    let delayMs = 0
    while (!stopping.signal.aborted) {
      try {
        const isMoved = await moveBatch()
        delayMs = 0
        if (!isMoved) await waitForHits()
      } catch (error) {
        if (delayMs === 0) log.warn({ err: serializeError(error) }, 'Opens and clicks wait in the journal; retrying')
        delayMs = nextBackoffMs(delayMs, backoff)
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  const running = run()

  return async (): Promise<void> => {
    stopping.abort()
    wake?.()
    await running
  }
}

function toHit(hit: RecordedHit, workspaceId: string, agent: UserAgent): Hit {
  const { at, kind, mail, linkNo, netHash, netLabel, flags } = hit
  const isCounted = mail.deliveryId === 0
  return {
    workspaceId,
    at,
    kind,
    messageId: mail.messageId,
    deliveryMonth: isCounted ? null : mail.month,
    deliveryId: isCounted ? null : mail.deliveryId,
    linkNo,
    agentHash: agent.hash,
    netHash,
    netLabel,
    flags,
  }
}
