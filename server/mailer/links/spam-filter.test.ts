import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createSpamFilter } from './spam-filter.ts'

const stops: (() => void)[] = []
afterAll(() => {
  for (const stop of stops) stop()
})

/** A filter that speaks the protocol of SpamAssassin and answers with a text. */
async function spamd(answer: string) {
  const asked: string[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('end', () => {
      asked.push(text)
      socket.end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  return { asked, url: new URL(`spamd://127.0.0.1:${(server.address() as AddressInfo).port}`) }
}

async function rspamd(answer: string) {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    let text = `${request.method ?? ''} ${request.url ?? ''}\n`
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      asked.push(text)
      response.end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  return { asked, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) }
}

const mail = { from: 'shop@example.com', subject: 'Doors open', html: '<p>Hello</p>', text: 'Hello' }
const encodedHtml = Buffer.from(mail.html).toString('base64')

describe('a spam filter', () => {
  it('of SpamAssassin gives points, the limit and the rules', async () => {
    const { asked, url } = await spamd(
      'SPAMD/1.1 0 EX_OK\r\nContent-length: 27\r\nSpam: True ; 6.3 / 5.0\r\n\r\nHTML_MESSAGE,MISSING_MID\r\n',
    )
    expect(await createSpamFilter(url)(mail)).toEqual({
      filter: 'SpamAssassin',
      score: 6.3,
      limit: 5,
      rules: ['HTML_MESSAGE', 'MISSING_MID'],
    })
    const [, length, sent = ''] =
      /^SYMBOLS SPAMC\/1\.5\r\nContent-length: (\d+)\r\n\r\n([^]*)$/.exec(asked[0] ?? '') ?? []
    expect(Number(length)).toBe(sent.length)
    expect(sent).toContain('\r\nSubject: Doors open\r\n')
    expect(sent).toContain(encodedHtml)
  })

  it('of rspamd gives points, the limit and the rules', async () => {
    const { asked, url } = await rspamd(
      JSON.stringify({ score: -0.4, required_score: 15, symbols: { R_DKIM_NA: {}, 'no name\n': {} } }),
    )
    expect(await createSpamFilter(url)(mail)).toEqual({
      filter: 'rspamd',
      score: -0.4,
      limit: 15,
      rules: ['R_DKIM_NA'],
    })
    expect(asked[0]).toMatch(/^POST \/checkv2\nFrom: /)
    expect(asked[0]).toContain(encodedHtml)
  })

  it('that answers nonsense, too much or not at all is an error', async () => {
    for (const answer of ['', 'HTTP/1.1 400 Bad Request\r\n\r\n', `SPAMD/1.1 0 EX_OK\r\n${'x'.repeat(300_000)}`])
      await expect(createSpamFilter((await spamd(answer)).url)(mail)).rejects.toThrow(/spam filter/)
    await expect(createSpamFilter((await rspamd('{}')).url)(mail)).rejects.toThrow(/rspamd/)
    await expect(createSpamFilter(new URL('spamd://127.0.0.1:1'))(mail)).rejects.toThrow()
  })

  it('gives 20 rules at most, with names of 80 characters', async () => {
    const rulesOf = async (names: readonly string[]) => {
      const { url } = await spamd(`SPAMD/1.1 0 EX_OK\r\nSpam: True ; 6.3 / 5.0\r\n\r\n${names.join(',')}\r\n`)
      return (await createSpamFilter(url)(mail)).rules
    }
    const names = (count: number) => Array.from({ length: count }, (_, no) => `RULE_${no}`)
    expect([await rulesOf(names(20)), await rulesOf(names(21))]).toEqual([names(20), names(20)])
    expect(await rulesOf(['A'.repeat(80), 'B'.repeat(81)])).toEqual(['A'.repeat(80)])
  })

  it('answers with 256 KiB at most', async () => {
    const head = 'SPAMD/1.1 0 EX_OK\r\nSpam: True ; 6.3 / 5.0\r\n\r\n'
    const scoreOf = async (bytes: number) => createSpamFilter((await spamd(head.padEnd(bytes, 'x'))).url)(mail)
    expect(await scoreOf(262_144)).toMatchObject({ score: 6.3 })
    await expect(scoreOf(262_145)).rejects.toThrow('too large')
  })

  it('receives lines of 76 characters', async () => {
    const { asked, url } = await spamd('')
    // In base64, 57 bytes are 76 characters.
    await expect(createSpamFilter(url)({ ...mail, text: 'x'.repeat(58) })).rejects.toThrow()
    expect(asked[0]).toContain(`\r\n${'eHh4'.repeat(19)}\r\neA==\r\n`)
  })
})
