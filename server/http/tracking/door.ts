import type { IncomingMessage, ServerResponse } from 'node:http'
import { eventFlags } from '../../../contract/results/event.ts'
import { clickPath, pixelPath, preferencesPath, type MailToken } from '../../domain/tracking/mail-link.ts'
import { unsubscribePath } from '../../domain/suppressions/unsubscribe-link.ts'
import type { RecordedHit } from '../../domain/tracking/hit.ts'
import { announcesPrefetch } from '../core/announces-prefetch.ts'
import { linkPage, linkPagePolicy } from './link-page.ts'

interface Ports {
  /** Null for an invalid path. */
  readOpen: (path: string) => MailToken | null
  readClick: (path: string, query: string) => { mail: MailToken; no: number; url: string } | null
  journal: { append: (hit: RecordedHit, onWritten: (isKept: boolean) => void) => void }
  /** Hash and label of a client's network; its address is kept nowhere. */
  describeNetwork: (address: string) => { netHash: Buffer; netLabel: number | null }
  /** The client's address, behind trusted proxies too. */
  clientAddress: (request: IncomingMessage) => string
  /** Whether a host is a workspace's tracking domain. */
  isTrackingHost: (host: string) => boolean
  now: () => Date
  noteHit: (kind: RecordedHit['kind'], outcome: 'recorded' | 'repeated' | 'prefetch' | 'dropped' | 'invalid') => void
}

/** As text: Node writes head and body of an answer together only where both are text. */
const gif = Buffer.from('R0lGODlhAQABAPAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64').toString('latin1')
const minuteMs = 60_000
const hitsPerMinute = 200
/** What a tracking domain shows. */
const sharedPaths = [pixelPath, clickPath, unsubscribePath, preferencesPath]

/**
 * The requests of tracked mails: images and redirects, answered without the database. It sets no cookie, reads none, and allows
 * no other origin. `handle` returns false for all other requests.
 */
export function createTrackingDoor(ports: Ports) {
  const limit = createLimit()

  const record = (request: IncomingMessage, hit: Pick<RecordedHit, 'kind' | 'mail' | 'linkNo'>, answer: () => void) => {
    if (request.method === 'HEAD') {
      answer()
      return
    }
    const at = ports.now()
    const network = ports.describeNetwork(ports.clientAddress(request))
    // The recipients of a message in mode `counts` share its token.
    const { mail } = hit
    const key = `${mail.messageId} ${mail.deliveryId === 0 ? network.netHash.toString('hex') : mail.deliveryId}`
    if (!limit(key, at.getTime())) {
      ports.noteHit(hit.kind, 'repeated')
      answer()
      return
    }
    const isPrefetch = announcesPrefetch(request)
    const agent = request.headers['user-agent'] ?? ''
    ports.journal.append({ ...hit, ...network, at, agent, flags: isPrefetch ? eventFlags.prefetch : 0 }, (isKept) => {
      ports.noteHit(hit.kind, isKept ? (isPrefetch ? 'prefetch' : 'recorded') : 'dropped')
      answer()
    })
  }

  const open = (request: IncomingMessage, response: ServerResponse, path: string) => {
    const answer = () => {
      response.writeHead(200, { 'content-type': 'image/gif', 'content-length': gif.length, ...plainHeaders })
      response.end(request.method === 'HEAD' ? '' : gif, 'latin1')
    }
    const mail = ports.readOpen(path)
    if (mail) record(request, { kind: 'opened', mail, linkNo: null }, answer)
    else {
      ports.noteHit('opened', 'invalid')
      answer()
    }
  }

  const click = (request: IncomingMessage, response: ServerResponse, path: string, query: string) => {
    const found = ports.readClick(path, query)
    if (found === null) {
      ports.noteHit('clicked', 'invalid')
      answerNotFound(request, response)
      return
    }
    record(request, { kind: 'clicked', mail: found.mail, linkNo: found.no }, () => {
      response.writeHead(302, { location: asHeader(found.url), 'content-length': 0, ...plainHeaders })
      response.end()
    })
  }

  return {
    handle(request: IncomingMessage, response: ServerResponse): boolean {
      const { url = '/', method } = request
      const [path, query] = splitQuery(url)
      if (!sharedPaths.some((shared) => path.startsWith(shared)) && ports.isTrackingHost(hostOf(request))) {
        answerNotFound(request, response)
        return true
      }
      if (method !== 'GET' && method !== 'HEAD') return false
      if (path.startsWith(pixelPath)) open(request, response, path)
      else if (path.startsWith(clickPath)) click(request, response, path, query)
      else return false
      return true
    },
  }
}

const plainHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

function answerNotFound({ method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': linkPagePolicy,
    ...plainHeaders,
  })
  response.end(method === 'HEAD' ? undefined : linkPage)
}

function splitQuery(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

function hostOf({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
}

/** Headers hold ASCII: other characters are percent-encoded, as a browser does it. */
function asHeader(url: string): string {
  return url.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}

/** Whether a key has hits left in this minute. */
function createLimit(): (key: string, nowMs: number) => boolean {
  let counts = new Map<string, number>()
  let minute = 0
  return (key, nowMs) => {
    const current = Math.floor(nowMs / minuteMs)
    if (current !== minute) counts = new Map()
    minute = current
    const count = counts.get(key) ?? 0
    if (count >= hitsPerMinute) return false
    counts.set(key, count + 1)
    return true
  }
}
