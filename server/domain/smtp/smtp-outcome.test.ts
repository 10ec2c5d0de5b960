import { describe, expect, it } from 'vitest'
import { classify, type SmtpFailure } from './smtp-outcome.ts'
import { formatReply, parseReply } from './smtp-reply.ts'

const smtpFailure = (given: Partial<SmtpFailure>): SmtpFailure => ({
  phase: 'message',
  reply: null,
  libraryCode: null,
  systemCode: null,
  isHandedOver: false,
  ...given,
})

describe('parseReply', () => {
  it('joins the lines of a reply and contains its codes once', () => {
    const raw = '550-5.1.1 The email account that you tried to reach\r\n550-5.1.1 does not exist.\r\n550 5.1.1 Bye'
    const reply = parseReply(raw)
    expect(reply).toEqual({
      code: 550,
      enhanced: '5.1.1',
      text: 'The email account that you tried to reach does not exist. Bye',
    })
    expect(reply && formatReply(reply)).toBe('550 5.1.1 The email account that you tried to reach does not exist. Bye')
  })

  it('parses a reply without text and without an enhanced code', () => {
    expect(parseReply('250')).toEqual({ code: 250, enhanced: null, text: '' })
    expect(parseReply('550 5.123.123 No')).toMatchObject({ enhanced: '5.123.123', text: 'No' })
    expect(parseReply('550 5.1234.1 No')).toMatchObject({ enhanced: null, text: '5.1234.1 No' })
    expect(parseReply('550 5.1.1234 No')).toMatchObject({ enhanced: null, text: '5.1.1234 No' })
    expect(parseReply('250 OK 4.2.0 queued')).toEqual({ code: 250, enhanced: null, text: 'OK 4.2.0 queued' })
  })

  it('removes control characters and truncates long text', () => {
    const reply = parseReply(`450 4.2.0 a\0b\u2028c ${'x'.repeat(10_000)}`)
    expect(reply?.text.startsWith('a b c xxx')).toBe(true)
    expect(reply?.text).toHaveLength(500)
    expect(parseReply(`450 ${'x'.repeat(500)}`)?.text).toBe('x'.repeat(500))
    expect(parseReply(`450 ${'x'.repeat(501)}`)?.text).toBe(`${'x'.repeat(499)}…`)
  })

  it.each(['', 'hello', '25 OK', '2500 OK', 'a250 OK'])('%j is not a reply', (raw) => {
    expect(parseReply(raw)).toBeNull()
  })
})

describe('classify', () => {
  it.each([
    ['250 2.0.0 OK', 'sent'],
    ['250 OK', 'sent'],
    ['199 Unknown', 'retry'],
    ['200 OK', 'sent'],
    ['299 OK', 'sent'],
    ['300 More', 'retry'],
    ['499 Later', 'retry'],
    ['500 No', 'fail'],
    ['599 No', 'fail'],
    ['600 Unknown', 'retry'],
    ['450 4.2.0 Greylisted', 'retry'],
    ['421 Try again later', 'retry'],
    ['421 4.3.2 Shutting down', 'retry'],
    ['451 4.3.0 Local error', 'retry'],
    ['452 4.2.2 Over quota', 'retry'],
    ['503 5.5.1 Nested MAIL command', 'retry'],
    ['354 Go on', 'retry'],
    ['550 5.1.1 No such user', 'fail'],
    ['550 No such user', 'fail'],
    ['552 5.3.4 Too big', 'fail'],
    ['554 5.7.1 Spam', 'fail'],
    ['535 5.7.8 Bad credentials', 'pause'],
    ['534 5.7.9 Application-specific password required', 'pause'],
    ['530 5.7.0 Authentication Required', 'pause'],
    ['550 5.4.5 Daily user sending limit exceeded', 'pause'],
    ['421 4.7.0 Try again later', 'pause'],
    ['550 5.7.30 Basic authentication is not supported', 'pause'],
  ])('classifies the reply %j to a message as %s', (reply, kind) => {
    expect(classify(smtpFailure({ reply, isHandedOver: true })).kind).toBe(kind)
  })

  it("treats a 450 with the library's code EENVELOPE as a 450", () => {
    const outcome = classify(smtpFailure({ reply: '450 4.2.1 Busy', libraryCode: 'EENVELOPE' }))
    expect(outcome).toEqual({ kind: 'retry', reply: '450 4.2.1 Busy' })
  })

  it.each(['5.1.1', '5.1.2', '5.1.6', '5.1.10', '5.2.1'])('treats 550 %s as a dead address', (enhanced) => {
    expect(classify(smtpFailure({ reply: `550 ${enhanced} Gone` }))).toMatchObject({
      kind: 'fail',
      isAddressDead: true,
    })
  })

  it.each(['5.0.0', '5.1.0', '5.7.1', '5.2.2'])('does not treat 550 %s as a dead address', (enhanced) => {
    expect(classify(smtpFailure({ reply: `550 ${enhanced} No` }))).toMatchObject({ kind: 'fail', isAddressDead: false })
  })

  it('pauses indefinitely for rejected credentials, and for hours for a limit', () => {
    expect(classify(smtpFailure({ phase: 'login', reply: '535 5.7.8 No' }))).toMatchObject({
      cause: 'credentials',
      forMs: null,
    })
    expect(classify(smtpFailure({ reply: '550 5.4.5 Limit' }))).toMatchObject({ cause: 'limit', forMs: 4 * 3_600_000 })
    expect(classify(smtpFailure({ reply: '421 4.7.0 Slow down' }))).toMatchObject({ cause: 'limit', forMs: 3_600_000 })
  })

  it('fails no message for any permanent refusal of a sign-in', () => {
    for (const reply of ['504 5.5.4 Unknown mechanism', '500 What', '550 5.7.1 Blocked']) {
      expect(classify(smtpFailure({ phase: 'login', reply })).kind).toBe('pause')
    }
    expect(classify(smtpFailure({ phase: 'login', reply: '454 4.7.0 Later' })).kind).toBe('retry')
    expect(classify(smtpFailure({ phase: 'login', reply: '499 Later' })).kind).toBe('retry')
  })

  it('retries after a server that rejects the connection', () => {
    expect(classify(smtpFailure({ phase: 'connect', reply: '554 No service' })).kind).toBe('retry')
  })

  it('makes a missing reply after the whole message unknown, and retries before it', () => {
    for (const libraryCode of ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET']) {
      expect(classify(smtpFailure({ libraryCode, isHandedOver: true })).kind).toBe('unknown')
      expect(classify(smtpFailure({ libraryCode })).kind).toBe('retry')
      expect(classify(smtpFailure({ libraryCode, phase: 'connect' })).kind).toBe('retry')
    }
  })

  it('fails what the library rejects itself', () => {
    expect(classify(smtpFailure({ libraryCode: 'EMESSAGE' })).kind).toBe('fail')
    expect(classify(smtpFailure({ libraryCode: 'EENVELOPE' })).kind).toBe('fail')
  })
})
