import { createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

/** A key and its certificate, both PEM, made for one test run. */
export interface TestCertificate {
  key: string
  cert: string
}

export interface TestAuthority {
  /** Certificate of the authority, PEM. */
  ca: string
  /** A certificate for a server name, signed by the authority. A negative `validDays` makes an expired one. */
  issue(name: string, validDays?: number): TestCertificate
}

const dayMs = 86_400_000

/** Makes a certificate authority (X.509 v3, ECDSA P-256), so that the repository contains no key. */
export function createAuthority(): TestAuthority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = name('Sendwright test authority')
  const ca = sign({ subject: issuer, issuer, key: own.publicKey, extensions: [basicConstraintsCa] }, own.privateKey)
  return {
    ca,
    issue(serverName, validDays = 1) {
      const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const extensions = [subjectAltName(serverName)]
      const cert = sign(
        { subject: name(serverName), issuer, key: keys.publicKey, extensions, validDays },
        own.privateKey,
      )
      return { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
    },
  }
}

/** A self-signed certificate. */
export function createSelfSigned(serverName: string): TestCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = name(serverName)
  const cert = sign(
    { subject, issuer: subject, key: keys.publicKey, extensions: [subjectAltName(serverName)] },
    keys.privateKey,
  )
  return { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}

interface ToBeSigned {
  subject: Buffer
  issuer: Buffer
  key: KeyObject
  extensions: Buffer[]
  validDays?: number
}

/** Builds and signs a certificate (RFC 5280 §4.1). */
function sign({ subject, issuer, key, extensions, validDays = 1 }: ToBeSigned, signer: KeyObject): string {
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const end = Date.now() + validDays * dayMs
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer,
    sequence(time(end - 2 * dayMs), time(end)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = createSign('sha256').update(body).sign(signer)
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function name(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))
}

function time(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(digits))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value))
}

const basicConstraintsCa = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))

function subjectAltName(serverName: string): Buffer {
  const isAddress = /^[\d.]+$/.test(serverName)
  const value = isAddress ? Buffer.from(serverName.split('.').map(Number)) : Buffer.from(serverName)
  return extension('551d11', sequence(der(isAddress ? 0x87 : 0x82, value)))
}
