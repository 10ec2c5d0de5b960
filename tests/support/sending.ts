import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { SenderMailbox, SenderPorts } from '../../server/mailer/queue/sender-ports.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createMailRows, emptyTables, type MailRows } from './mail-rows.ts'
import { createTestDatabase } from './postgres.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts'
import { baseFolder } from './temporary-folder.ts'
import { createTestSender, type TestSender } from './test-sender.ts'

type MailboxOf = number | SenderMailbox | null

/** The environment of a sending test: an empty queue on a real database, servers to send to, senders. */
export interface Sending {
  readonly database: Database
  readonly rows: MailRows
  /** Of this test alone. */
  readonly folder: string
  sinkWith: (options?: SinkOptions) => Promise<SmtpSink>
  /** A sender whose mailboxes submit their mail to this server; `start` starts it. */
  make: (mailbox: MailboxOf | ((mailboxId: string) => MailboxOf), ports?: Partial<SenderPorts>) => TestSender
  start: (mailbox: MailboxOf | ((mailboxId: string) => MailboxOf), ports?: Partial<SenderPorts>) => TestSender
  /** Waits for exactly these numbers of deliveries in each state. */
  untilStates: (expected: Record<string, number>) => Promise<void>
  mailboxOf: (mailboxId: string) => Promise<{ status: string; reason: string | null; until: Date | null } | undefined>
}

/** Timeout of sending tests for asynchronous results. */
export const wait = { timeout: 40_000, interval: 20 }

export const makeAddresses = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)

/** Returns its value at the first call, and undefined afterwards. */
export function returnOnce<A>(answer: A): () => A | undefined {
  let left: A | undefined = answer
  return () => {
    const given = left
    left = undefined
    return given
  }
}

/** Call at the top of a test file: creates the database once, and all else for each test. */
export function useSending(): Sending {
  let database: Database
  let drop: () => Promise<void>
  let rows: MailRows
  let folder: string
  const undo: (() => unknown)[] = []

  beforeAll(async () => {
    const test = await createTestDatabase()
    drop = test.drop
    database = openDatabase(test.connection, () => {})
    await ensureDeliveryPartitions(database.pool)
  })

  afterAll(async () => {
    await database.close()
    await drop()
  })

  beforeEach(async () => {
    await emptyTables(database.pool)
    rows = await createMailRows(database.pool)
    folder = await mkdtemp(join(baseFolder, 'sendwright-sending-'))
    undo.push(() => rm(folder, { recursive: true }))
  })

  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  const make: Sending['make'] = (mailbox, ports = {}) => {
    const find = typeof mailbox === 'function' ? mailbox : () => mailbox
    const sender = createTestSender({ database, rows, folder, mailbox: find, ports })
    undo.push(() => sender.stop(0))
    return sender
  }

  return {
    get database() {
      return database
    },
    get rows() {
      return rows
    },
    get folder() {
      return folder
    },
    async sinkWith(options = {}) {
      const sink = await startSmtpSink(options)
      undo.push(() => sink.close())
      return sink
    },
    make,
    start(mailbox, ports) {
      const sender = make(mailbox, ports)
      sender.start()
      return sender
    },
    untilStates: (expected) => expect.poll(() => rows.states(), wait).toEqual(expected),
    async mailboxOf(mailboxId) {
      const { rows: found } = await database.pool.query<{ status: string; reason: string | null; until: Date | null }>(
        'select status, pause_reason as reason, paused_until as until from email_configs where id = $1',
        [mailboxId],
      )
      return found[0]
    },
  }
}
