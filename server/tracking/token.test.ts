import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readClick, readOpen, rememberLinkMacs, signLink } from './link.ts'
import { readLegacyToken, readToken, signToken } from './token.ts'

const key = createSecretKey(randomBytes(32))
const other = createSecretKey(randomBytes(32))
const mailOf = (given = {}) => ({
  workspaceNo: 7,
  month: '2026-11-01',
  messageId: randomUUID(),
  deliveryId: 2 ** 40 + 3,
  ...given,
})
/** Signs any named bytes as a token. */
const forge = (change: (named: Buffer) => void) => {
  const named = Buffer.from(signToken(key, mailOf()), 'base64url').subarray(0, 29)
  change(named)
  const mac = createHmac('sha256', key).update('mail').update(named).digest().subarray(0, 16)
  return Buffer.concat([named, mac]).toString('base64url')
}
const clickOf = (token: string, link: { messageId: string; no: number; url: string }) => {
  const [path = '', query = ''] = signLink(key, link).split('?')
  return { path: `/c/${token}${path}`, query }
}

describe('a token', () => {
  it('names its mail in 60 characters, for every key of the ring', () => {
    for (const deliveryId of [0, 1, 2 ** 47 + 1]) {
      const mail = mailOf({ deliveryId, workspaceNo: 2 ** 32 - 1 })
      const token = signToken(key, mail)
      expect(token).toMatch(/^[\w-]{60}$/)
      expect(readToken([other, key], token)).toEqual(mail)
      expect(readToken([other], token)).toBeNull()
    }
  })

  it('is refused once any character is altered, cut, added or encoded otherwise', () => {
    const token = signToken(key, mailOf())
    for (let at = 0; at < token.length; at++) {
      const altered = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect(readToken([key], altered)).toBeNull()
      expect(readToken([key], token.slice(0, at))).toBeNull()
    }
    for (const text of [`${token}A`, `${token}=`, ` ${token}`, encodeURIComponent(`${token}/`), '', 'test'])
      expect(readToken([key], text)).toBeNull()
  })

  it('with an unknown version or a month out of range is refused, although it is signed', () => {
    const url = 'https://example.com/'
    const changes: [isRead: boolean, change: (named: Buffer) => void][] = [
      [true, () => undefined],
      [false, (named) => (named[0] = 1)],
      [false, (named) => (named[0] = 3)],
      [false, (named) => named.writeUInt16BE(0, 5)],
      [false, (named) => named.writeUInt16BE(65_535, 5)],
      [false, (named) => named.writeUInt16BE(2019 * 12 + 11, 5)],
    ]
    for (const [isRead, change] of changes) {
      const token = forge(change)
      const messageId =
        readToken(
          [key],
          forge(() => undefined),
        )?.messageId ?? ''
      expect(readToken([key], token) !== null).toBe(isRead)
      const { path, query } = clickOf(token, { messageId, no: 1, url })
      if (!isRead) expect(readClick([key], path, query)).toBeNull()
    }
  })

  it('of version 1 is read in both lengths', () => {
    const messageId = randomUUID()
    const workspaceId = randomUUID()
    const sign = (ids: string) => {
      const named = Buffer.concat([Buffer.from(ids.replaceAll('-', ''), 'hex'), Buffer.from([0, 0, 0, 0, 1, 2])])
      const mac = createHmac('sha256', key).update('unsubscribe').update(named).digest().subarray(0, 16)
      return Buffer.concat([named, mac]).toString('base64url')
    }
    const [short, long] = [sign(messageId), sign(workspaceId + messageId)]
    expect([short.length, long.length]).toEqual([51, 72])
    expect(readLegacyToken([other, key], short)).toEqual({ workspaceId: null, messageId, deliveryId: 258 })
    expect(readLegacyToken([key], long)).toEqual({ workspaceId, messageId, deliveryId: 258 })
    expect(readLegacyToken([other], short)).toBeNull()
    expect(readLegacyToken([key], signToken(key, mailOf()))).toBeNull()
  })
})

describe.each([
  ['computed', undefined],
  ['remembered', rememberLinkMacs()],
])('a click link, with MACs that are %s,', (_name, macOf) => {
  const read = (keys: Parameters<typeof readClick>[0], path: string, query: string) =>
    readClick(keys, path, query, macOf)
  const mail = mailOf()
  const token = signToken(key, mail)
  const { messageId } = mail

  it('leads to any http address, as it was signed', () => {
    const urls = [
      'https://example.com/',
      'http://example.com:8080/a?b=c&d=%20#e',
      'https://example.com/it\'s?u=https://other.example/&x="y"',
      'https://exämple.com/ü?q=日本',
      `https://example.com/${'x'.repeat(2000)}`,
    ]
    for (const [at, url] of urls.entries()) {
      const { path, query } = clickOf(token, { messageId, no: at + 1, url })
      expect(path + query).not.toMatch(/["'<>&\s]/)
      expect(read([other, key], path, query)).toEqual({ mail, no: at + 1, url })
      expect(read([other], path, query)).toBeNull()
    }
  })

  it('H54 is refused with every altered character of its token, its number and its MAC', () => {
    const { path, query } = clickOf(token, { messageId, no: 12, url: 'https://example.com/' })
    expect(read([key], path, query)).not.toBeNull()
    for (let at = '/c/'.length; at < path.length; at++) {
      const altered = path.slice(0, at) + (path[at] === 'Q' ? 'R' : 'Q') + path.slice(at + 1)
      expect(read([key], altered, query)).toBeNull()
    }
    for (const wrong of [
      `${path}/`,
      `${path}/x`,
      path.slice(0, -1),
      path.replace('/12-', '/012-'),
      path.replace('/12-', '/13-'),
      '/c/',
      '/c//',
    ])
      expect(read([key], wrong, query)).toBeNull()
  })

  it('H54 is refused with another destination, another message or a destination that no browser may be sent to', () => {
    const { path, query } = clickOf(token, { messageId, no: 1, url: 'https://example.com/' })
    expect(read([key], path, query)).not.toBeNull()
    const changed = [
      'u=https%3A%2F%2Fexample.com%2Fx',
      'u=%2F%2Fevil',
      'u=javascript%3Aalert(1)',
      `${query}%0d%0aset-cookie:a=b`,
      `${query}&u=https%3A%2F%2Fevil.example`,
      `${query}&x=1`,
      `x=1&${query}`,
      'u=%',
      'u=',
      '',
      `${query}${'x'.repeat(10_000)}`,
    ]
    for (const one of changed) expect(read([key], path, one)).toBeNull()
    const foreign = clickOf(signToken(key, mailOf()), { messageId, no: 1, url: 'https://example.com/' })
    expect(read([key], foreign.path, foreign.query)).toBeNull()
    for (const url of ['//evil', 'javascript:alert(1)', 'data:text/html,x', 'https://a\r\nb', 'https://', '/x']) {
      const signed = clickOf(token, { messageId, no: 1, url })
      expect(read([key], signed.path, signed.query)).toBeNull()
    }
  })

  it('and an image name their mail only in their own shapes', () => {
    expect(readOpen([key], `/o/${token}.gif`)).toEqual(mail)
    for (const path of [`/o/${token}`, `/o/${token}.png`, `/c/${token}.gif`, '/o/.gif', '/o/x.gif'])
      expect(readOpen([key], path)).toBeNull()
  })
})
