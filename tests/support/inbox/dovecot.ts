import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ImapFlow } from 'imapflow'
import { vi } from 'vitest'
import { findOsUser, spawnIdentity } from '../../../server/postgres/os-user.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const execute = promisify(execFile)

/** Whether Dovecot is on the path. */
export const hasDovecot = spawnSync('dovecot', ['--version']).status === 0

/** A mail as its folder has it. */
export interface KeptMail {
  uid: number
  flags: string[]
  receivedAt: string
  subject: string
}

/** A Dovecot of its own, which accepts any user and password. */
export interface Dovecot extends AsyncDisposable {
  port: number
  /** The mail program of a user, on a connection of its own. */
  program: (user: string) => Promise<MailProgram>
  /** Ends every connection of a user. */
  kick: (user: string) => Promise<void>
}

export interface MailProgram extends AsyncDisposable {
  client: ImapFlow
  append: (folder: string, mail: Buffer, flags?: string[], at?: Date) => Promise<void>
  /** The mails of a folder, read without changing them. */
  list: (folder: string) => Promise<KeptMail[]>
}

/** Starts Dovecot on an ephemeral port, with its files in a temporary folder, as a user without rights. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = await temporaryFolder()
  const user = await findOsUser()
  const port = await freePort()
  const config = join(folder.path, 'dovecot.conf')
  const home = join(folder.path, 'home')
  await mkdir(home)
  const names = await namesOf(user)
  await writeFile(config, settings(folder.path, port, names))
  for (const path of [folder.path, home, config]) await chown(path, user.uid, user.gid)
  const options = { ...spawnIdentity(user), stdio: 'ignore' as const }
  const server = spawn('dovecot', ['-F', '-c', config], options)
  const ended = once(server, 'exit')
  await vi.waitFor(() => tryConnecting(port), { timeout: 20_000, interval: 50 })

  return {
    port,
    async program(name) {
      const client = new ImapFlow({
        ...{ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, logger: false as const },
        auth: { user: name, pass: 'app password' },
      })
      client.on('error', () => undefined)
      await client.connect()
      return programOf(client)
    },
    async kick(name) {
      await execute('doveadm', ['-c', config, 'kick', name], spawnIdentity(user))
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await ended
      await folder[Symbol.asyncDispose]()
    },
  }
}

const programOf = (client: ImapFlow): MailProgram => ({
  client,
  async append(name, mail, flags = [], at = new Date()) {
    await client.append(name, mail, flags, at)
  },
  async list(name) {
    const lock = await client.getMailboxLock(name, { readOnly: true })
    try {
      const mails = await client.fetchAll('1:*', { uid: true, flags: true, internalDate: true, envelope: true })
      return mails.map(({ uid, flags, internalDate, envelope }) => ({
        uid,
        flags: [...(flags ?? [])].filter((flag) => flag !== String.raw`\Recent`).sort(),
        receivedAt: new Date(internalDate ?? 0).toISOString(),
        subject: envelope?.subject ?? '',
      }))
    } finally {
      lock.release()
    }
  },
  // Its connection may have been ended by `kick`.
  async [Symbol.asyncDispose]() {
    if (client.usable) await client.logout()
  },
})

async function namesOf({ uid, gid }: { uid: number; gid: number }): Promise<{ user: string; group: string }> {
  const nameIn = async (database: string, id: number) =>
    (await execute('getent', [database, String(id)])).stdout.split(':')[0] ?? ''
  return { user: await nameIn('passwd', uid), group: await nameIn('group', gid) }
}

const settings = (folder: string, port: number, { user, group }: { user: string; group: string }) => `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
mail_location = maildir:${folder}/home/%u
mail_max_userip_connections = 50
first_valid_uid = 1
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = home=${folder}/home/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function tryConnecting(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
