import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import { isPublicAddress } from '../domain/core/network-address.ts'
import type { FolderRole, ImapEndpoint, ImapLogin } from '../domain/inbox/reading.ts'
import { firstHeaders } from './classify.ts'
import { sourceMaxBytes } from './mime/parse-mail.ts'
import { folderNames, isKnownHost } from './providers.ts'

/**
 * `refused`: the server rejects the login; `insecure`: no credentials were sent; `forbidden`: no byte was sent; `busy`: the
 * server asks to come back later.
 */
export type ImapProblem = 'refused' | 'unreachable' | 'insecure' | 'forbidden' | 'busy' | 'lost'

/** A failed command or connection, without addresses or secrets. */
export class ImapError extends Error {
  override readonly name = 'ImapError'
  readonly problem: ImapProblem

  constructor(problem: ImapProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }
}

/** The fields of one mail that step one reads. */
export interface FirstLook {
  uid: number
  headers: string
  sizeBytes: number
  receivedAt: Date
}

/** An open folder. */
export interface OpenFolder {
  uidValidity: number
  uidNext: number
}

export interface ImapOptions {
  connectTimeoutMs?: number
  /** Certificates of a test's server. */
  ca?: string
}

const connectTimeoutMs = 20_000
const idleMaxMs = 28 * 60_000
/** Of the header fields of step one: a single field may be as long as its sender likes. */
const headersMaxBytes = 32_768
/** Everything that is sent to a server: nothing changes a mailbox. */
const allowedCommands = new Set([
  ...[
    'LOGIN',
    'AUTHENTICATE',
    'CAPABILITY',
    'ID',
    'ENABLE',
    'LIST',
    'EXAMINE',
    'UID FETCH',
    'FETCH',
    'UID SEARCH',
    'SEARCH',
  ],
  ...['IDLE', 'NOOP', 'LOGOUT', 'STARTTLS'],
])

/** Methods of imapflow through which every command passes. */
interface ImapInternals {
  run: (command: string, ...args: unknown[]) => Promise<unknown>
  exec: (command: string, ...args: unknown[]) => Promise<unknown>
}

/** Limits a client to commands that read; those of its own that a reader does not need are left out. */
function restrict(client: ImapFlow): void {
  const internals = client as unknown as ImapInternals
  const [run, exec] = [internals.run.bind(client), internals.exec.bind(client)]
  internals.run = (command, ...args) => {
    // An older form of LIST would be sent to servers with it.
    client.capabilities.delete('XLIST')
    return command === 'NAMESPACE' ? Promise.resolve(undefined) : run(command, ...args)
  }
  internals.exec = (command, ...args) => {
    if (!allowedCommands.has(command)) {
      return Promise.reject(new Error(`The command ${command} changes a mailbox or is not needed.`))
    }
    if (command === 'UID FETCH') limitHeaders(args[0])
    return exec(command, ...args)
  }
}

interface FetchItem {
  section?: readonly { value?: unknown }[]
  partial?: number[]
}

/** Asks for a part of the header fields only, which imapflow has no option for. */
function limitHeaders(attributes: unknown): void {
  for (const items of Array.isArray(attributes) ? attributes : []) {
    for (const item of Array.isArray(items) ? (items as FetchItem[]) : []) {
      if (item.section?.[0]?.value === 'HEADER.FIELDS') item.partial = [0, headersMaxBytes]
    }
  }
}

/** One signed-in connection. `onNew` is called when the server reports new mails in the open folder. */
export interface ImapConnection {
  hasIdle: boolean
  listFolders: () => Promise<{ folder: string; role: FolderRole }[]>
  /** Null where the server does not open the folder. */
  examine: (folder: string) => Promise<OpenFolder | null>
  /** UIDs above `after`, ascending. */
  searchAfter: (after: number) => Promise<number[]>
  searchSince: (since: Date) => Promise<number[]>
  /** Mails whose header field contains a text. */
  searchHeader: (name: string, text: string) => Promise<number[]>
  firstLook: (uids: readonly number[]) => Promise<FirstLook[]>
  /** Up to 64 kB of each mail. */
  sources: (uids: readonly number[]) => Promise<Map<number, Buffer>>
  noop: () => Promise<void>
  /** Waits for news of the open folder; ends with the next command. */
  idle: () => void
  onNew: (listener: () => void) => void
  onClosed: (listener: () => void) => void
  close: () => Promise<void>
}

/** Connects and signs in. Throws ImapError. */
export async function openImap(
  endpoint: ImapEndpoint,
  login: ImapLogin,
  options: ImapOptions = {},
): Promise<ImapConnection> {
  const address = await resolveAddress(endpoint)
  const timeoutMs = options.connectTimeoutMs ?? connectTimeoutMs
  const client = new ImapFlow({
    host: address,
    port: endpoint.port,
    ...(isIP(endpoint.host) === 0 && { servername: endpoint.host }),
    secure: endpoint.security === 'tls',
    ...(endpoint.security === 'starttls' && { doSTARTTLS: true }),
    ...(endpoint.security === 'none' && { doSTARTTLS: false }),
    auth: login,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(options.ca !== undefined && { ca: options.ca }) },
    logger: false,
    clientInfo: { name: 'Sendwright' },
    disableAutoIdle: true,
    disableCompression: true,
    disableBinary: true,
    disableIMAP4rev2: true,
    disableAutoEnable: true,
    missingIdleCommand: 'NOOP',
    maxIdleTime: idleMaxMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: idleMaxMs + 60_000,
    maxLiteralSize: 256 * 1024,
    maxResponseSize: 4 * 1024 * 1024,
  })
  restrict(client)
  // Errors arrive as rejections of the commands, too.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    client.close()
    throw toImapError(error)
  }
  return connectionOf(client, endpoint)
}

/** The name is resolved once and pinned; every address has to be public. */
async function resolveAddress({ host, isTrusted, port, security }: ImapEndpoint): Promise<string> {
  if (!isTrusted && (security === 'none' || (port !== 993 && port !== 143))) {
    throw new ImapError('forbidden', 'IMAP is read on port 993 with TLS or 143 with STARTTLS only.')
  }
  let addresses: { address: string }[]
  try {
    addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }]
  } catch (error) {
    throw new ImapError('unreachable', 'The IMAP server’s name is not known.', error)
  }
  const [first] = addresses
  if (first === undefined) throw new ImapError('unreachable', 'The IMAP server’s name is not known.')
  if (!isTrusted && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new ImapError('forbidden', 'No public IMAP server has this name.')
  }
  return first.address
}

function toImapError(error: unknown): ImapError {
  if (error instanceof ImapError) return error
  const {
    code = '',
    authenticationFailed = false,
    serverResponseCode = '',
    response = '',
    message = '',
  } = error as {
    code?: string
    authenticationFailed?: boolean
    serverResponseCode?: string
    response?: unknown
    message?: string
  }
  if (authenticationFailed) {
    return isBusy(serverResponseCode, String(response))
      ? new ImapError('busy', 'The IMAP server accepts no more connections at the moment.', error)
      : new ImapError('refused', 'The IMAP server refused the login.', error)
  }
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|ALTNAME/i.test(code) || /starttls|certificate|tls/i.test(message)) {
    return new ImapError('insecure', 'No secure connection to the IMAP server was established.', error)
  }
  if (/ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|GREETING|ConnectTimeout/i.test(code)) {
    return new ImapError('unreachable', 'The IMAP server cannot be reached.', error)
  }
  return new ImapError('lost', 'The connection to the IMAP server was lost.', error)
}

/** Whether a refused login says nothing of the password (RFC 5530, and what large providers write). */
function isBusy(code: string, text: string): boolean {
  if (/^(?:AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|EXPIRED|PRIVACYREQUIRED|CONTACTADMIN)$/i.test(code)) return false
  if (/^(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|OVERQUOTA|THROTTLED)$/i.test(code)) return true
  return /\btoo many\b|throttl|simultaneous|try again later|temporar|server (?:is )?busy|not available/i.test(text)
}

function connectionOf(client: ImapFlow, { host }: ImapEndpoint): ImapConnection {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      if (!client.usable) throw new ImapError('lost', 'The connection to the IMAP server was lost.')
      return await work()
    } catch (error) {
      throw toImapError(error)
    }
  }
  const search = async (query: Parameters<ImapFlow['search']>[0]) => {
    const found = await client.search(query, { uid: true })
    return (found === false || found === undefined ? [] : found).map(Number).sort((a, b) => a - b)
  }
  return {
    hasIdle: client.capabilities.has('IDLE'),
    listFolders: () => guarded(async () => rolesOf(await client.list({ listOnly: true }), isKnownHost(host))),
    examine: (folder) =>
      guarded(async () => {
        const opened = await client.mailboxOpen(folder, { readOnly: true }).catch((error: unknown) => {
          if ((error as { responseStatus?: string }).responseStatus === 'NO') return null
          throw error
        })
        if (opened === null) return null
        return { uidValidity: Number(opened.uidValidity), uidNext: opened.uidNext }
      }),
    searchAfter: (after) => guarded(async () => (await search({ uid: `${after + 1}:*` })).filter((uid) => uid > after)),
    searchSince: (since) => guarded(() => search({ since })),
    searchHeader: (name, text) => guarded(() => search({ header: { [name]: text } })),
    firstLook: (uids) =>
      guarded(async () => {
        const query = { uid: true, size: true, internalDate: true, headers: [...firstHeaders] }
        const found = await client.fetchAll(uids.join(','), query, { uid: true })
        return found.map(({ uid, size, internalDate, headers }) => ({
          uid,
          headers: (headers ?? Buffer.alloc(0)).toString('latin1'),
          sizeBytes: size ?? 0,
          receivedAt: internalDate ? new Date(internalDate) : new Date(0),
        }))
      }),
    sources: (uids) =>
      guarded(async () => {
        const query = { uid: true, source: { start: 0, maxLength: sourceMaxBytes } }
        const found = await client.fetchAll(uids.join(','), query, { uid: true })
        return new Map(found.map(({ uid, source }) => [uid, source ?? Buffer.alloc(0)]))
      }),
    noop: () => guarded(() => client.noop().then(() => undefined)),
    idle: () => void client.idle().catch(() => undefined),
    onNew: (listener) => void client.on('exists', listener),
    onClosed: (listener) => void client.on('close', listener),
    async close() {
      if (!client.usable) {
        client.close()
        return
      }
      await Promise.race([client.logout().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 1000))])
      client.close()
    },
  }
}

/** The folders that are read: INBOX, and those that the server, or the provider table, names junk and sent. */
function rolesOf(
  listed: readonly { path: string; flags: Set<string> }[],
  isKnown: boolean,
): { folder: string; role: FolderRole }[] {
  const roles: { folder: string; role: FolderRole }[] = [{ folder: 'INBOX', role: 'inbox' }]
  for (const role of ['junk', 'sent'] as const) {
    const use = role === 'junk' ? String.raw`\Junk` : String.raw`\Sent`
    const marked = listed.find(({ flags }) => flags.has(use))
    const named = isKnown ? listed.find(({ path }) => folderNames[role].has(path.toLowerCase())) : undefined
    const found = marked ?? named
    if (found) roles.push({ folder: found.path, role })
  }
  return roles
}
