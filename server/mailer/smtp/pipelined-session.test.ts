import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  startScriptedSmtp,
  type ScriptAction,
  type ScriptedOptions,
  type Step,
} from '../../../tests/support/scripted-smtp.ts'
import { endpointOf, login, never } from '../../../tests/support/smtp-client.ts'
import type { SmtpJob, SmtpResult, SmtpSession } from './smtp-job.ts'
import { openSession, type SmtpNetwork } from './smtp-session.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

interface Sent {
  to: string
  result: SmtpResult
  hasBegun: boolean
}

const mailOf = (to: string, bytes = 0) =>
  Buffer.from(
    `Subject: Hi\r\n\r\nTo ${to}\r\n${'x'
      .repeat(70)
      .concat('\r\n')
      .repeat(Math.ceil(bytes / 72))}`,
  )

/** Sends mails to a server with this script, and returns their results once the connection is idle. */
async function sendAll(
  options: ScriptedOptions,
  count = 3,
  given: {
    network?: SmtpNetwork
    bytes?: number
    begin?: (at: number, session: SmtpSession) => void
    isReady?: (at: number) => boolean
  } = {},
) {
  const server = await startScriptedSmtp(options)
  undo.push(() => server.close())
  const session = await openSession(endpointOf(server), login, never, given.network)
  undo.push(() => session.destroy())
  const sent: Sent[] = []
  const order: string[] = []
  let givenCount = 0
  const { promise: isIdle, resolve } = Promise.withResolvers<undefined>()
  const next = (): SmtpJob | null => {
    if (givenCount === count || given.isReady?.(givenCount) === false) return null
    const at = givenCount++
    const to = `p${at}@x.com`
    let hasBegun = false
    return {
      envelope: { from: 'ann@example.com', to },
      mail: { bytes: mailOf(to, given.bytes), isWireReady: true },
      begin() {
        given.begin?.(at, session)
        hasBegun = true
        order.push(`begin ${at}`)
      },
      end(result) {
        order.push(`end ${at}`)
        sent.push({ to, result, hasBegun })
      },
    }
  }
  session.serve(next, () => resolve(undefined))
  await isIdle
  return { server, session, sent, order, givenCount }
}

const kinds = (sent: readonly Sent[]) => sent.map(({ result }) => result.kind)
const repliesOf = (sent: readonly Sent[]) =>
  sent.map(({ result }) =>
    result.kind === 'replied' ? result.reply : result.kind === 'failed' ? result.error.failure.reply : null,
  )
const failureOf = ({ result }: Sent) => (result.kind === 'failed' ? result.error.failure : null)

/** Replies so at one step, the nth time, and positively otherwise. */
const at = (step: Step, count: number, doing: ScriptAction) => (now: Step, nth: number) =>
  now === step && nth === count ? doing : undefined

describe('a pipelined session', () => {
  it('sends each envelope with the message before it, and starts no message before the previous reply', async () => {
    const { server, sent, order } = await sendAll({}, 3)
    expect(kinds(sent)).toEqual(['replied', 'replied', 'replied'])
    expect(repliesOf(sent)).toEqual(Array.from({ length: 3 }, () => '250 2.0.0 Taken'))
    expect(order).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2'])
    expect(server.taken.map(({ to, body }) => [to, body])).toEqual(
      [0, 1, 2].map((n) => [`p${n}@x.com`, mailOf(`p${n}@x.com`).toString().trimEnd()]),
    )
  })

  it('waits for the reply to a message before the next one starts, also after an early request', async () => {
    const { order, sent } = await sendAll({
      script: at('message', 0, '250-first\r\n250-second\r\n250 2.0.0 third'),
      pieceBytes: 3,
    })
    expect(repliesOf(sent)[0]).toBe('250-first\n250-second\n250 2.0.0 third')
    expect(order).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it.each<[Step, number, ScriptAction, string]>([
    ['MAIL', 1, '451 4.3.0 Not now', '451 4.3.0 Not now'],
    ['RCPT', 1, '550 5.1.1 No such user', '550 5.1.1 No such user'],
    ['RCPT', 0, '450 4.2.1 Busy', '450 4.2.1 Busy'],
    ['DATA', 1, '554 5.5.1 No', '554 5.5.1 No'],
    ['message', 1, '554 5.7.1 Spam', '554 5.7.1 Spam'],
    ['message', 0, '452-4.3.1 Full\r\n452 4.3.1 Later', '452-4.3.1 Full\n452 4.3.1 Later'],
  ])('a refusal at %s of mail %i affects only that mail', async (step, count, doing, reply) => {
    const { server, sent } = await sendAll({ script: at(step, count, doing) })
    expect(kinds(sent)[count]).toBe('failed')
    expect(repliesOf(sent)[count]).toBe(reply)
    expect(kinds(sent).filter((kind) => kind === 'replied')).toHaveLength(2)
    expect(server.taken).toHaveLength(2)
  })

  it('a refused envelope is reset before the next, and a message requested anyway is empty', async () => {
    const answers: Record<string, ScriptAction> = {
      'RCPT 0': '550 5.1.1 No',
      'DATA 0': '354 Go',
      'message 0': '554 No recipients',
    }
    const { server, sent } = await sendAll({ script: (step, nth) => answers[`${step} ${nth}`] })
    expect(repliesOf(sent)).toEqual(['550 5.1.1 No', '250 2.0.0 Taken', '250 2.0.0 Taken'])
    expect(server.came[0]).toBe('')
    const reset = await sendAll({
      script: (step, nth) => ((step === 'RCPT' || step === 'DATA') && nth === 0 ? '550 No' : undefined),
    })
    expect(reset.server.commands).toContain('RSET')
    expect(reset.server.taken).toHaveLength(2)
  })

  it.each<Step>(['MAIL', 'RCPT', 'DATA', 'message'])('a 421 at %s ends the connection with that mail', async (step) => {
    const { server, session, sent } = await sendAll({ script: at(step, 1, '421 4.3.2 Closing') })
    expect(session.isOpen).toBe(false)
    expect(kinds(sent).slice(0, 2)).toEqual(['replied', 'failed'])
    expect(repliesOf(sent)[1]).toBe('421 4.3.2 Closing')
    expect(
      kinds(sent)
        .slice(2)
        .every((kind) => kind === 'not_started'),
    ).toBe(true)
    expect(server.taken).toHaveLength(1)
  })

  it.each<[Step, ScriptAction]>(
    (['MAIL', 'RCPT', 'DATA', 'message'] as const).flatMap((step) =>
      (['cut', 'reset', 'half-close'] as const).map((doing): [Step, ScriptAction] => [step, doing]),
    ),
  )('at %s a connection that ends by %s leaves only a completely sent message unknown', async (step, doing) => {
    const { session, sent } = await sendAll({ script: at(step, 1, doing) })
    expect(session.isOpen).toBe(false)
    expect(kinds(sent)[0]).toBe('replied')
    const [, second] = sent
    if (step === 'message') expect(failureOf(second!)).toMatchObject({ isHandedOver: true, reply: null })
    else if (second!.result.kind === 'failed') expect(failureOf(second!)).toMatchObject({ isHandedOver: false })
    else expect(second!.result.kind).toBe('not_started')
  })

  it('the first mail of a connection is never reported as not started, because it may be the cause', async () => {
    const { sent } = await sendAll({ script: at('MAIL', 0, 'cut') }, 1)
    expect(kinds(sent)).toEqual(['failed'])
  })

  it.each<[string, ScriptedOptions['script']]>([
    ['words that are no reply', at('message', 0, '25 what')],
    ['lines of one reply with two codes', at('message', 0, '250-a\r\n550 b')],
    ['more replies than commands', at('message', 2, '250 2.0.0 Taken\r\n250 2.0.0 And more')],
    ['a reply to DATA as if it were a message', at('DATA', 0, '250 OK')],
    ['a refusal of RSET', (step, nth) => (step === 'RSET' ? '502 What' : at('MAIL', 0, '550 No')(step, nth))],
  ])('%s ends the connection', async (_what, script) => {
    const { session, sent, server } = await sendAll({ script: script! }, 3)
    await expect.poll(() => session.isOpen).toBe(false)
    const replied = sent.filter(({ result }) => result.kind === 'replied').map(({ to }) => to)
    expect(server.taken.map(({ to }) => to)).toEqual(expect.arrayContaining(replied))
  })

  it('a large message refused before its end was not accepted', async () => {
    const { sent } = await sendAll({ script: at('message', 0, '552 5.3.4 Too large') }, 1, { bytes: 200_000 })
    expect(repliesOf(sent)).toEqual(['552 5.3.4 Too large'])
  })

  it('large messages are sent completely, one after the other', async () => {
    const { server, sent } = await sendAll({}, 4, { bytes: 300_000 })
    expect(kinds(sent)).toEqual(Array.from({ length: 4 }, () => 'replied'))
    expect(server.taken.map(({ body }) => body.length)).toEqual(
      [0, 1, 2, 3].map((n) => mailOf(`p${n}@x.com`, 300_000).length - 2),
    )
  })

  it('a mail that comes while a large message is being written is announced after it', async () => {
    const bytes = 8 * 1024 * 1024
    let isNext = false
    const { server, sent } = await sendAll({}, 2, {
      bytes,
      network: { replyTimeoutMs: 5000 },
      isReady: (at) => at === 0 || isNext,
      begin(at, session) {
        if (at > 0) return
        setImmediate(() => {
          isNext = true
          session.wake()
        })
      },
    })
    expect(kinds(sent)).toEqual(['replied', 'replied'])
    expect(server.taken.map(({ to, body }) => [to, body === mailOf(to, bytes).toString().trimEnd()])).toEqual([
      ['p0@x.com', true],
      ['p1@x.com', true],
    ])
  })

  it('a mail whose begin throws sends nothing, and ends the connection', async () => {
    const { server, session, sent } = await sendAll({}, 3, {
      begin(n) {
        if (n === 1) throw new Error('disk full')
      },
    })
    expect(kinds(sent)).toEqual(['replied', 'withheld'])
    expect(session.isOpen).toBe(false)
    expect(server.came).toHaveLength(1)
  })

  it('a missing reply ends it after the timeout', async () => {
    const { sent } = await sendAll({ script: at('message', 1, 'silence') }, 3, { network: { replyTimeoutMs: 1000 } })
    expect(kinds(sent)).toEqual(['replied', 'failed', 'not_started'])
    expect(failureOf(sent[1]!)).toMatchObject({ libraryCode: 'ETIMEDOUT', isHandedOver: true })
  })

  it('sends one command at a time to a server without PIPELINING', async () => {
    const { server, sent } = await sendAll({ offers: ['8BITMIME'] }, 2)
    expect(kinds(sent)).toEqual(['replied', 'replied'])
    expect(server.commands.filter((line) => /^(?:MAIL|RCPT|DATA)/.test(line))).toHaveLength(6)
  })

  it('H33 a mail not in wire format gets its dots doubled and its line ends normalized', async () => {
    const server = await startScriptedSmtp()
    undo.push(() => server.close())
    const session = await openSession(endpointOf(server), login, never)
    undo.push(() => session.destroy())
    const bytes = Buffer.from('A: b\n\n.\r\n.x\rMAIL FROM:<e@e.com>\n.\n')
    const { promise, resolve } = Promise.withResolvers<SmtpResult>()
    const jobs: SmtpJob[] = [
      {
        envelope: { from: 'a@x.com', to: 'b@x.com' },
        mail: { bytes, isWireReady: false },
        begin: () => {},
        end: resolve,
      },
    ]
    session.serve(
      () => jobs.pop() ?? null,
      () => {},
    )
    expect(await promise).toMatchObject({ kind: 'replied' })
    expect(server.taken[0]?.body).toBe('A: b\r\n\r\n..\r\n..x\r\nMAIL FROM:<e@e.com>\r\n..')
    expect(server.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(1)
  })

  it('H28 an unsafe address is never sent', async () => {
    const server = await startScriptedSmtp()
    undo.push(() => server.close())
    const session = await openSession(endpointOf(server), login, never)
    undo.push(() => session.destroy())
    const results: SmtpResult[] = []
    const jobs = ['a@x.com> SIZE=1', 'a@x.com\r\nRCPT TO:<e@e.com>', 'a@x.com\0', '<a@x.com'].map((to): SmtpJob => ({
      envelope: { from: 'a@x.com', to },
      mail: { bytes: mailOf('x'), isWireReady: true },
      begin: () => {},
      end: (result) => results.push(result),
    }))
    session.serve(
      () => jobs.pop() ?? null,
      () => {},
    )
    expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => 'failed'))
    expect(server.commands.filter((line) => /^(?:MAIL|RCPT|DATA)/.test(line))).toEqual([])
  })
})

describe('for any behaviour of a mail server', () => {
  const steps = ['MAIL', 'RCPT', 'DATA', 'message', 'RSET'] as const
  const doing = fc.constantFrom<ScriptAction>(
    '250 OK',
    '251-a\r\n251 b',
    '354 Go',
    '421 Bye',
    '450 Later',
    '550 No',
    '550-a\r\n550 b',
    'cut',
    'reset',
    'half-close',
  )
  const faults = fc.dictionary(
    fc.tuple(fc.constantFrom(...steps), fc.nat(5)).map(([step, nth]) => `${step} ${nth}`),
    doing,
    { maxKeys: 5 },
  )

  it('an accepted mail is sent or unknown, any other is never sent', async () => {
    await fc.assert(
      fc.asyncProperty(faults, fc.constantFrom(1, 7, 1000), async (script, pieceBytes) => {
        const { server, sent, givenCount, order } = await sendAll(
          {
            script: (step, nth) => script[`${step} ${nth}`],
            pieceBytes,
          },
          6,
          { network: { replyTimeoutMs: 300 } },
        )
        // Each mail ends exactly once.
        expect(sent.map(({ to }) => to).sort()).toEqual(Array.from({ length: givenCount }, (_, n) => `p${n}@x.com`))
        for (const one of sent) {
          const wasTaken = server.taken.some(({ body }) => body.includes(`To ${one.to}`))
          const cameWhole = server.came.some((body) => body.includes(`To ${one.to}`))
          const { result } = one
          if (result.kind === 'replied') expect(wasTaken).toBe(true)
          if (result.kind === 'not_started' || result.kind === 'withheld') expect(cameWhole).toBe(false)
          if (result.kind === 'failed' && !result.error.failure.isHandedOver) expect(cameWhole).toBe(false)
          if (cameWhole) expect(one.hasBegun).toBe(true)
        }
        // Never two messages in flight at a time.
        let openCount = 0
        for (const event of order) {
          const isBegun = sent.find(({ to }) => to === `p${event.slice(-1)}@x.com`)?.hasBegun ?? false
          if (event.startsWith('begin')) openCount += 1
          else if (isBegun) openCount -= 1
          expect(openCount).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 150 },
    )
  }, 60_000)
})
