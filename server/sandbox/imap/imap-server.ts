import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveImap, type ImapBehavior } from './imap-session.ts'
import { MailStore } from './mail-store.ts'

/** The IMAP stand-in: a mailbox with INBOX, Junk and Sent on a free port of 127.0.0.1. */
export interface ImapServer {
  port: number
  store: MailStore
  connectionCount: () => number
  close: () => Promise<void>
}

const defaults: ImapBehavior = {
  capabilities: ['IMAP4rev1', 'IDLE', 'ID', 'ENABLE', 'SPECIAL-USE', 'LITERAL+', 'SASL-IR', 'AUTH=PLAIN'],
  acceptsLogin: () => true,
}

/** Starts the stand-in. Mails are kept in memory; `uidValidity` differs at each start. */
export async function startImapServer(
  uidValidity: number,
  behavior: Partial<ImapBehavior> = {},
  store = new MailStore(uidValidity, [
    ['INBOX', null],
    ['Junk', String.raw`\Junk`],
    ['Sent', String.raw`\Sent`],
  ]),
): Promise<ImapServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveImap(socket, store, { ...defaults, ...behavior })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    store,
    connectionCount: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
