import { createSecretKey, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { SenderMailbox, SenderPorts } from '../../server/mailer/queue/sender-ports.ts'
import { createSender, type Sender } from '../../server/mailer/queue/sender.ts'
import { createFirstResultWatch, type FirstResultWatch } from '../../server/mailer/queue/first-result.ts'
import type { Database } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createDeliveryQueue } from '../../server/store/messages/delivery-queue.ts'
import { createDeliveryStore, type DeliveryStore } from '../../server/store/messages/delivery.ts'
import { createMailboxSlots } from '../../server/store/quota/mailbox-slots.ts'
import type { MailRows } from './mail-rows.ts'
import { systemScope } from './scope.ts'
import { messageIdVariables } from '../../server/domain/messages/message-id.ts'
import { bindScope, type Bound } from '../../server/domain/auth/scope.ts'

/** The queue of the senders, for every workspace. */
export type DeliveryQueue = Bound<ReturnType<typeof createDeliveryQueue>>

/** A sender on a real queue, composed as in server/main.ts. */
export interface TestSender extends Sender {
  ports: SenderPorts
  queue: DeliveryQueue
  deliveries: DeliveryStore
  firstResults: FirstResultWatch
  /** The whole log, as one text. */
  logged: () => string
  /** Advances the clock, for code that uses the clock and not a timer. */
  skipMs: (ms: number) => void
  journalFolder: string
}

export interface TestSenderOptions {
  database: Database
  rows: MailRows
  /** A folder of this test's own. */
  folder: string
  /** The submission server of a mailbox: a port of this machine, or the whole mailbox. */
  mailbox: (mailboxId: string) => number | SenderMailbox | null
  ports?: Partial<SenderPorts>
}

export const testLimits = {
  connectionCount: 3,
  messagesPerConnectionCount: 100,
  perMinuteCount: null,
  perDayCount: null,
}

/** A mailbox on a port of this machine, as if named by the operator. */
export function testMailbox(port: number, given: Partial<SenderMailbox> = {}): SenderMailbox {
  return {
    provider: 'other',
    emailAddress: 'ann@example.com',
    endpoint: { host: '127.0.0.1', port, security: 'none', isTrusted: true },
    login: { user: 'ann@example.com', pass: 'hunter22' },
    limits: testLimits,
    ...given,
  }
}

export function createTestSender({
  database,
  rows,
  folder,
  mailbox,
  ports: given = {},
}: TestSenderOptions): TestSender {
  const queue = bindScope(createDeliveryQueue(database.pool), systemScope)
  const deliveries = createDeliveryStore(database.pool)
  const firstResults = createFirstResultWatch({ deliveries })
  const lines: string[] = []
  let skippedMs = 0
  const note = (facts: Record<string, unknown>, text: string) => {
    lines.push(JSON.stringify({ ...facts, text }))
  }
  const journalFolder = join(folder, 'journal')
  const ports: SenderPorts = {
    queue,
    slots: bindScope(createMailboxSlots(database.pool), systemScope),
    mailboxes: {
      async open({ mailboxId }) {
        const found = mailbox(mailboxId)
        const opened = typeof found === 'number' ? testMailbox(found) : found
        return opened && { ...opened, ownerLimits: await rows.ownLimits(mailboxId) }
      },
      pause: ({ mailboxId }, reason, forMs) => rows.pause(mailboxId, reason, forMs),
    },
    messages: { findContents: rows.findContents },
    maintenanceTasks: [{ intervalMs: 3_600_000, run: () => ensureDeliveryPartitions(database.pool) }],
    journal: { folder: journalFolder, bootId: null },
    clock: () => new Date(Date.now() + skippedMs),
    tickMs: () => performance.now() + skippedMs,
    random: () => 0.5,
    newId: () => randomUUID(),
    log: { info: note, warn: note, error: note },
    onOutcomesWritten: firstResults.notify,
    ...given,
    variables: { ...messageIdVariables(createSecretKey(Buffer.alloc(32))), ...given.variables },
  }
  return {
    ...createSender(ports),
    ports,
    queue,
    deliveries,
    firstResults,
    logged: () => lines.join('\n'),
    skipMs: (ms) => (skippedMs += ms),
    journalFolder,
  }
}
