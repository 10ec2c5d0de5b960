import { request } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import type { ScoredMail, ScoreMail, SpamScore } from '../../domain/deliverability/spam-score.ts'
import { formatDate, senderHeader, textHeader } from '../mime/mail-header.ts'

const timeoutMs = 10_000
const answerMaxBytes = 256 * 1024
const rulesMaxCount = 20

/**
 * Scores mails by the filter at an address: `spamd://host:port` of SpamAssassin, `http://host:port` of rspamd. The scoring
 * rejects if the filter does not answer within 10 s, or not in its protocol.
 */
export function createSpamFilter(url: URL): ScoreMail {
  const ask = url.protocol === 'spamd:' ? askSpamd : askRspamd
  return (mail) => ask(url, rawMail(mail))
}

/** As a mail server would receive it. */
function rawMail({ from, subject, html, text }: ScoredMail): Buffer {
  const now = new Date()
  const part = (type: string, content: string) =>
    `--=_part\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${inLines(content)}\r\n`
  return Buffer.from(
    [
      senderHeader('From', from, null),
      `To: ${from}\r\n`,
      textHeader('Subject', subject),
      `Message-ID: <${now.getTime()}.check@${from.slice(from.lastIndexOf('@') + 1)}>\r\n`,
      `Date: ${formatDate(now)}\r\n`,
      'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="=_part"\r\n\r\n',
      part('text/plain', text),
      part('text/html', html),
      '--=_part--\r\n',
    ].join(''),
  )
}

const inLines = (content: string) => Buffer.from(content).toString('base64').replaceAll(/.{76}/g, '$&\r\n')

async function askSpamd({ hostname, port }: URL, mail: Buffer): Promise<SpamScore> {
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 783 })
  const signal = AbortSignal.timeout(timeoutMs)
  const stop = () => socket.destroy(new Error('The spam filter did not answer in time.'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    // The filter answers once the mail has ended.
    socket.end(Buffer.concat([Buffer.from(`SYMBOLS SPAMC/1.5\r\nContent-length: ${mail.length}\r\n\r\n`), mail]))
    const answer = await readAnswer(socket)
    const [, score, limit] = /^Spam: \w+ ; (-?[\d.]+) \/ (-?[\d.]+)/m.exec(answer) ?? []
    if (!/^SPAMD\/[\d.]+ 0 /.test(answer) || score === undefined || limit === undefined)
      throw new Error('The spam filter did not answer as SpamAssassin does.')
    const names = answer.slice(answer.indexOf('\r\n\r\n') + 4).trim()
    return { filter: 'SpamAssassin', score: Number(score), limit: Number(limit), rules: rulesIn(names.split(',')) }
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

async function askRspamd(url: URL, mail: Buffer): Promise<SpamScore> {
  const answer = await new Promise<string>((resolve, reject) => {
    const call = request(new URL('/checkv2', url), {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
    call.on('response', (response) => {
      readAnswer(response).then(resolve, reject)
    })
    call.on('error', reject)
    call.end(mail)
  })
  const {
    score,
    required_score: limit,
    symbols,
  } = JSON.parse(answer) as {
    score?: unknown
    required_score?: unknown
    symbols?: unknown
  }
  if (typeof score !== 'number' || typeof limit !== 'number')
    throw new Error('The spam filter did not answer as rspamd does.')
  const names = typeof symbols === 'object' && symbols !== null ? Object.keys(symbols) : []
  return { filter: 'rspamd', score, limit, rules: rulesIn(names) }
}

const rulesIn = (names: readonly string[]) =>
  names
    .map((name) => name.trim())
    .filter((name) => /^\w{1,80}$/.test(name))
    .slice(0, rulesMaxCount)

async function readAnswer(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > answerMaxBytes) throw new Error('The answer of the spam filter is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
