import { createHmac, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  clickPath,
  destinationParameter,
  pixelPath,
  trackedUrlMaxChars,
  type MailToken,
} from '../domain/tracking/mail-link.ts'
import { decode, isSigned, readToken } from './token.ts'

/** One link of a message: what its MAC covers. */
export interface SignedLink {
  messageId: string
  no: number
  url: string
}

const macBytes = 16
const macChars = 22
/** Number and MAC of a link. */
const linkShape = /^([1-9]\d{0,4})-([\w-]{22})$/

/** What follows the token in a click link: `/<no>-<MAC>?u=<url>`. Needs no escaping in HTML. */
export function signLink(key: KeyObject, link: SignedLink): string {
  const mac = linkMac(key, link).toString('base64url')
  return `/${link.no}-${mac}?${destinationParameter}=${encodeDestination(link.url)}`
}

/** A click with a valid token and a valid link. */
export interface Click {
  mail: MailToken
  no: number
  url: string
}

/**
 * Reads path and query of a click link; null unless one of the keys signed the token and the link of the same message.
 * `macOf`: from `rememberLinkMacs`.
 */
export function readClick(keys: readonly KeyObject[], path: string, query: string, macOf = linkMac): Click | null {
  if (!path.startsWith(clickPath)) return null
  const [token = '', link = '', ...more] = path.slice(clickPath.length).split('/')
  const [, no = '', mac = ''] = linkShape.exec(link) ?? []
  const url = readDestination(query)
  const bytes = decode(mac, macChars)
  if (more.length > 0 || bytes === null || url === null || !isRedirectable(url)) return null
  const mail = readToken(keys, token)
  if (mail === null) return null
  const signed = { messageId: mail.messageId, no: Number(no), url }
  return isSigned(keys, signed, bytes, macOf) ? { mail, no: signed.no, url } : null
}

/** The mail of the path of a tracking image; null for an invalid one. */
export function readOpen(keys: readonly KeyObject[], path: string): MailToken | null {
  if (!path.startsWith(pixelPath) || !path.endsWith('.gif')) return null
  return readToken(keys, path.slice(pixelPath.length, -'.gif'.length))
}

/** Whether a browser may be sent there: `http:` and `https:` only, in printable ASCII or beyond, without controls. */
export function isRedirectable(url: string): boolean {
  return /^https?:\/\//i.test(url) && !/[\p{Cc}\p{Zl}\p{Zp}\s]/u.test(url) && URL.canParse(url)
}

const rememberedMaxCount = 2000

/** MACs of links, which are the same for all recipients of a message: those used last are kept instead of computed again. */
export function rememberLinkMacs(): typeof linkMac {
  const remembered = new WeakMap<KeyObject, LRUCache<string, Buffer>>()
  return (key, link) => {
    // Only altered links are longer.
    if (link.url.length > trackedUrlMaxChars) return linkMac(key, link)
    const macs = remembered.get(key) ?? new LRUCache<string, Buffer>({ max: rememberedMaxCount })
    remembered.set(key, macs)
    const name = `${link.messageId}\n${link.no}\n${link.url}`
    const mac = macs.get(name) ?? linkMac(key, link)
    macs.set(name, mac)
    return mac
  }
}

function linkMac(key: KeyObject, { messageId, no, url }: SignedLink): Buffer {
  return createHmac('sha256', key).update(`link\n${messageId}\n${no}\n${url}`).digest().subarray(0, macBytes)
}

/** `'` would end an attribute in single quotes. */
function encodeDestination(url: string): string {
  return encodeURIComponent(url.toWellFormed()).replaceAll("'", '%27')
}

/** The first and only parameter of the query. */
function readDestination(query: string): string | null {
  const prefix = `${destinationParameter}=`
  if (!query.startsWith(prefix)) return null
  try {
    return decodeURIComponent(query.slice(prefix.length))
  } catch {
    return null // Not percent-encoded UTF-8.
  }
}
