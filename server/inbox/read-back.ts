import { setTimeout as sleep } from 'node:timers/promises'
import type { FolderRole, ReadingMailbox } from '../domain/inbox/reading.ts'
import { openImap, type ImapOptions } from './connection.ts'
import { MailHeaders } from './mime/headers.ts'

/** Where a mail arrived, and what the mailbox's provider says of its origin. */
export interface ReadBack {
  folder: string
  role: Exclude<FolderRole, 'sent'>
  /** The provider's own Authentication-Results, one line; null without one. */
  authentication: string | null
}

const restMs = 1000

/**
 * Looks for a mail whose Message-ID begins with `id` in INBOX and the junk folder, until it is there or the time is over:
 * null. Changes nothing in the mailbox. Throws ImapError.
 */
export async function readBack(
  mailbox: ReadingMailbox,
  id: string,
  timeoutMs: number,
  options?: ImapOptions,
): Promise<ReadBack | null> {
  const connection = await openImap(mailbox.endpoint, mailbox.login, options)
  try {
    const folders = await connection.listFolders()
    const endsAt = performance.now() + timeoutMs
    while (performance.now() < endsAt) {
      for (const { folder, role } of folders) {
        if (role === 'sent' || (await connection.examine(folder)) === null) continue
        const uid = (await connection.searchHeader('Message-ID', `${id}.`)).at(-1)
        if (uid === undefined) continue
        const [look] = await connection.firstLook([uid])
        const [own] = new MailHeaders(look?.headers ?? '').all('authentication-results')
        return { folder, role, authentication: own === undefined ? null : own.replace(/\s+/g, ' ') }
      }
      await sleep(restMs)
    }
    return null
  } finally {
    await connection.close()
  }
}
