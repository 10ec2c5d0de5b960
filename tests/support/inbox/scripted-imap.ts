import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { serveImap, type ImapBehavior } from '../../../server/sandbox/imap/imap-session.ts'
import { MailStore } from '../../../server/sandbox/imap/mail-store.ts'
import type { TestCertificate } from '../certificate.ts'

/** The part of a connection that a scripted fault uses. */
interface FaultyConnection {
  write: (text: string) => void
  end: () => void
  destroy: () => void
}

/** An IMAP server that records each command, obeys those that change a mailbox, and fails on demand. */
export interface ScriptedImap {
  port: number
  /** Replaced by a test for other folders or another UIDVALIDITY. */
  store: MailStore
  /** Every command line, with its tag. */
  readonly lines: readonly string[]
  /** Names of the commands, such as `UID FETCH`. */
  commands: () => Set<string>
  logins: () => string[]
  /** Bytes that clients sent. */
  readonly byteCount: number
  readonly connectionCount: number
  readonly openCount: number
  /** The largest number of connections at a time. */
  readonly peakCount: number
  capabilities: readonly string[]
  /** The answer to a login instead of OK, such as `NO [LIMIT] Too many simultaneous connections`; null: accepted. */
  refusal: string | null
  /** Called at every command; true where it has answered. */
  fault: ((line: string, connection: FaultyConnection) => boolean) | null
  /** Closes each connection, with a BYE or without a word. */
  drop: (bye?: string) => void
  close: () => Promise<void>
}

export const usualCapabilities = [
  'IMAP4rev1',
  'IDLE',
  'ID',
  'ENABLE',
  'SPECIAL-USE',
  'LITERAL+',
  'SASL-IR',
  'AUTH=PLAIN',
]

/** INBOX, Junk and Sent as most servers mark them. */
export const usualFolders = (uidValidity = 1): MailStore =>
  new MailStore(uidValidity, [
    ['INBOX', null],
    ['Junk', String.raw`\Junk`],
    ['Sent', String.raw`\Sent`],
  ])

/** Folders with their special use; null for none. */
export const foldersOf = (uidValidity: number, names: readonly (readonly [name: string, use: string | null])[]) =>
  new MailStore(uidValidity, names)

/** Starts it on a free port of 127.0.0.1. `certificate`: TLS from the first byte. */
export async function startScriptedImap({
  certificate,
}: { certificate?: TestCertificate } = {}): Promise<ScriptedImap> {
  const sockets = new Set<Socket>()
  const lines: string[] = []
  const counts = { bytes: 0, connections: 0, peak: 0 }
  let changing: Socket | null = null

  const serve = (socket: Socket) => {
    sockets.add(socket)
    counts.connections += 1
    counts.peak = Math.max(counts.peak, sockets.size)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes: Buffer) => (counts.bytes += bytes.length))
    const behavior: ImapBehavior = {
      capabilities: imap.capabilities,
      acceptsLogin: () => true,
      onCommand(line, connection) {
        lines.push(line)
        const [tag = '*', command = ''] = line.split(' ')
        if (imap.fault?.(line, connection) === true) return 'handled'
        if (/^(?:LOGIN|AUTHENTICATE)$/i.test(command) && imap.refusal !== null) {
          connection.write(`${tag} ${imap.refusal}\r\n`)
          return 'handled'
        }
        if (/^SELECT$/i.test(command)) changing = socket
        change(line, changing === socket)
        return null
      },
    }
    serveImap(socket, imap.store, behavior)
  }

  /** What a server does with a command that is not read-only. */
  const change = (line: string, isSelected: boolean) => {
    const isMarking = isSelected && /FETCH .*BODY\[/i.test(line)
    if (!isMarking && !/\b(?:STORE|COPY|MOVE|EXPUNGE|APPEND|DELETE|RENAME)\b/i.test(line.split('"')[0] ?? '')) return
    for (const { mails } of imap.store.folders.values()) for (const { flags } of mails) flags.add(String.raw`\Seen`)
  }

  const server: Server = certificate ? createTlsServer(certificate, serve) : createServer(serve)
  const imap: ScriptedImap = {
    port: 0,
    store: usualFolders(),
    lines,
    commands: () => new Set(lines.map((line) => (/^\S+ ((?:UID )?\S+)/.exec(line)?.[1] ?? line).toUpperCase())),
    logins: () => lines.filter((line) => /^\S+ (?:LOGIN|AUTHENTICATE)\b/i.test(line)),
    get byteCount() {
      return counts.bytes
    },
    get connectionCount() {
      return counts.connections
    },
    get openCount() {
      return sockets.size
    },
    get peakCount() {
      return counts.peak
    },
    capabilities: usualCapabilities,
    refusal: null,
    fault: null,
    drop(bye) {
      for (const socket of sockets) {
        if (bye === undefined) socket.destroy()
        else socket.end(`* BYE ${bye}\r\n`)
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  imap.port = (server.address() as AddressInfo).port
  return imap
}
