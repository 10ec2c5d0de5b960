import type { Socket } from 'node:net'
import { fetchAnswer, hasHeader, inUidSet } from './fetch-items.ts'
import type { MailStore, StoredFolder } from './mail-store.ts'

/** What a test changes of the stand-in; the sandbox uses the defaults. */
export interface ImapBehavior {
  capabilities: readonly string[]
  /** Whether a login is accepted. */
  acceptsLogin: (user: string, password: string) => boolean
  /** Called with every command line; literals are part of it. Returns what replaces the answer, or null. */
  onCommand?: (line: string, connection: ImapConnection) => 'handled' | null
}

/** The part of a connection that a scripted fault uses. */
export interface ImapConnection {
  write: (text: string) => void
  end: () => void
  destroy: () => void
}

const lineMaxBytes = 65_536

/** Serves one connection: read-only commands of IMAP4rev1, IDLE and ENABLE. */
export function serveImap(socket: Socket, store: MailStore, behavior: ImapBehavior): void {
  let pending = ''
  let selected: StoredFolder | null = null
  let knownCount = 0
  let idleTag: string | null = null
  let authTag: string | null = null
  const write = (text: string) => {
    if (!socket.destroyed) socket.write(text)
  }
  const connection: ImapConnection = { write, end: () => socket.end(), destroy: () => socket.destroy() }

  const tellNew = () => {
    if (selected === null || selected.mails.length === knownCount) return
    knownCount = selected.mails.length
    write(`* ${knownCount} EXISTS\r\n`)
  }
  const stopListening = store.onChange((folder) => {
    if (idleTag !== null && selected?.name === folder) tellNew()
  })
  socket.on('close', stopListening)
  socket.on('error', () => socket.destroy())

  const login = (tag: string, user: string, password: string) => {
    if (behavior.acceptsLogin(user, password))
      write(`${tag} OK [CAPABILITY ${behavior.capabilities.join(' ')}] Logged in\r\n`)
    else write(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`)
  }

  const examine = (tag: string, name: string) => {
    const folder = store.folders.get(name.toUpperCase() === 'INBOX' ? 'INBOX' : name)
    if (folder === undefined) {
      write(`${tag} NO [NONEXISTENT] No such folder\r\n`)
      return
    }
    selected = folder
    knownCount = folder.mails.length
    write(
      `* FLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft)\r\n* OK [PERMANENTFLAGS ()] Read-only\r\n` +
        `* ${knownCount} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY ${folder.uidValidity}] Valid\r\n` +
        `* OK [UIDNEXT ${folder.uidNext}] Next\r\n${tag} OK [READ-ONLY] Opened\r\n`,
    )
  }

  const fetch = (tag: string, set: string, items: string) => {
    for (const mail of inUidSet(selected?.mails ?? [], set)) {
      const number = (selected?.mails.indexOf(mail) ?? 0) + 1
      socket.write(Buffer.concat([Buffer.from(`* ${number} FETCH `), fetchAnswer(mail, items), Buffer.from('\r\n')]))
    }
    write(`${tag} OK Fetched\r\n`)
  }

  const search = (tag: string, criteria: string) => {
    let mails = selected?.mails ?? []
    const set = /\bUID ([\d:,*]+)/i.exec(criteria)?.[1]
    if (set !== undefined) mails = inUidSet(mails, set)
    const since = /\bSINCE "?(\d{1,2}-\w{3}-\d{4})/i.exec(criteria)?.[1]
    if (since !== undefined)
      mails = mails.filter(({ receivedAt }) => receivedAt.getTime() >= Date.parse(`${since} UTC`))
    const [name, text] = readStrings(/\bHEADER (.+)$/i.exec(criteria)?.[1] ?? '')
    if (name !== undefined && text !== undefined) mails = mails.filter(({ source }) => hasHeader(source, name, text))
    write(`* SEARCH${mails.map(({ uid }) => ` ${uid}`).join('')}\r\n${tag} OK Searched\r\n`)
  }

  const list = (tag: string) => {
    for (const { name, specialUse } of store.folders.values()) {
      write(`* LIST (\\HasNoChildren${specialUse === null ? '' : ` ${specialUse}`}) "/" ${quoted(name)}\r\n`)
    }
    write(`${tag} OK Listed\r\n`)
  }

  const authenticate = (tag: string, initial: string) => {
    const [, user = '', password = ''] = Buffer.from(initial, 'base64').toString('utf8').split('\0')
    login(tag, user, password)
  }

  const commands: Readonly<Record<string, (tag: string, rest: readonly string[]) => void>> = {
    CAPABILITY: (tag) => write(`* CAPABILITY ${behavior.capabilities.join(' ')}\r\n${tag} OK Done\r\n`),
    ID: (tag) => write(`* ID ("name" "Sendwright sandbox")\r\n${tag} OK Done\r\n`),
    ENABLE: (tag) => write(`* ENABLED\r\n${tag} OK Done\r\n`),
    LOGIN(tag, rest) {
      const [user = '', password = ''] = readStrings(rest.join(' '))
      login(tag, user, password)
    },
    AUTHENTICATE(tag, [, initial]) {
      if (initial !== undefined) authenticate(tag, initial)
      else {
        authTag = tag
        write('+ \r\n')
      }
    },
    LIST: list,
    EXAMINE: (tag, rest) => examine(tag, readStrings(rest.join(' '))[0] ?? ''),
    NOOP(tag) {
      tellNew()
      write(`${tag} OK Done\r\n`)
    },
    IDLE(tag) {
      idleTag = tag
      write('+ idling\r\n')
      tellNew()
    },
    UID(tag, [command = '', set = '', ...rest]) {
      if (/^FETCH$/i.test(command)) fetch(tag, set, rest.join(' '))
      else if (/^SEARCH$/i.test(command)) search(tag, [set, ...rest].join(' '))
      else write(`${tag} BAD Unknown command\r\n`)
    },
    LOGOUT(tag) {
      write(`* BYE Logging out\r\n${tag} OK Done\r\n`)
      socket.end()
    },
  }

  const handle = (line: string) => {
    if (idleTag !== null && /^DONE$/i.test(line)) {
      write(`${idleTag} OK Idle ended\r\n`)
      idleTag = null
      return
    }
    if (authTag !== null) {
      authenticate(authTag, line)
      authTag = null
      return
    }
    if (behavior.onCommand?.(line, connection) === 'handled') return
    const [tag = '*', command = '', ...rest] = line.split(' ')
    const run = commands[command.toUpperCase()]
    if (run) run(tag, rest)
    else write(`${tag} BAD Unknown command\r\n`)
  }

  socket.on('data', (bytes: Buffer) => {
    pending += bytes.toString('latin1')
    if (pending.length > lineMaxBytes) {
      socket.destroy()
      return
    }
    for (let end = lineEnd(pending); end !== null; end = lineEnd(pending)) {
      const line = pending.slice(0, end)
      const literal = /\{(\d+)(\+?)\}$/.exec(line)
      if (literal) {
        // The rest of the command follows the literal: kept as one line, the literal as a quoted string.
        const size = Number(literal[1])
        const start = end + 2
        if (literal[2] === '' && pending.length === start) write('+ Ready\r\n')
        if (pending.length < start + size + 2) return
        const text = pending.slice(start, start + size)
        pending = line.slice(0, -literal[0].length) + quoted(text) + pending.slice(start + size)
        continue
      }
      pending = pending.slice(end + 2)
      handle(line)
    }
  })

  write(`* OK [CAPABILITY ${behavior.capabilities.join(' ')}] Sendwright sandbox\r\n`)
}

function lineEnd(text: string): number | null {
  const end = text.indexOf('\r\n')
  return end === -1 ? null : end
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`

/** The quoted strings and atoms of a command. */
function readStrings(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"]+)/g)].map(([, string, atom]) =>
    string === undefined ? (atom ?? '') : string.replace(/\\(.)/g, '$1'),
  )
}
