import type {
  FolderPosition,
  FolderRole,
  FoundMail,
  ProviderId,
  ReadingBatch,
  ReadingMailbox,
} from '../domain/inbox/reading.ts'
import { classifyHeaders, type Candidate } from './classify.ts'
import { ImapError, type FirstLook, type ImapConnection } from './connection.ts'
import { findOurIds, readMessageIds } from './match-keys.ts'
import { MailHeaders } from './mime/headers.ts'
import { hashOf, readMail, type FindDelivery } from './read-mail.ts'

export interface SyncPorts {
  find: FindDelivery
  /** Addresses of the workspace's mailboxes now, in lower case: their mails are no answers. */
  listOwnAddresses: () => Promise<ReadonlySet<string>>
  /** Writes the results with the position, in one transaction. Throws where the lease was lost. */
  commit: (batch: ReadingBatch) => Promise<void>
  now: () => Date
}

interface FolderToSync {
  folder: string
  role: FolderRole
  /** Null for a folder that is read for the first time: it is read from now on. */
  position: FolderPosition | null
}

const batchCount = 100
const sourcesCount = 10
const rescanMs = 14 * 86_400_000

/**
 * Reads what is new in a folder; returns the new position, or the old one where the folder cannot be opened. Throws ImapError,
 * and what `commit` throws.
 */
export async function syncFolder(
  connection: ImapConnection,
  mailbox: ReadingMailbox,
  { folder, role, position }: FolderToSync,
  ports: SyncPorts,
): Promise<FolderPosition | null> {
  const opened = await connection.examine(folder)
  if (opened === null) {
    if (role === 'inbox') throw new ImapError('lost', 'The IMAP server does not open INBOX.')
    return position
  }
  const { uidValidity, uidNext } = opened
  const end = { folder, role, uidValidity, lastUid: uidNext - 1 }
  if (position === null) {
    await ports.commit(emptyBatch(end))
    return end
  }
  // Other UIDs than before: the last days are read again, and what is known already is skipped by its hash.
  const isReset = position.uidValidity !== uidValidity || uidNext <= position.lastUid
  const since = new Date(Math.max(mailbox.readingSince.getTime(), ports.now().getTime() - rescanMs))
  const uids = isReset ? await connection.searchSince(since) : await connection.searchAfter(position.lastUid)
  for (let start = 0; start < uids.length; start += batchCount) {
    const batch = uids.slice(start, start + batchCount)
    const lastUid = Math.max(...batch)
    const results = await readBatch(connection, { ...end, lastUid }, batch, isReset ? since : null, ports)
    await ports.commit(results)
  }
  const lastUid = Math.max(uidNext - 1, uids.at(-1) ?? 0)
  if (uids.length === 0 || isReset) await ports.commit(emptyBatch({ ...end, lastUid }))
  return { ...end, lastUid }
}

const emptyBatch = (position: FolderPosition): ReadingBatch => ({
  position,
  mails: [],
  providerIds: [],
  counts: { seen: 0, unmatchedBounces: 0 },
})

interface Look extends FirstLook {
  fields: MailHeaders
  candidate: Candidate
}

async function readBatch(
  connection: ImapConnection,
  position: FolderPosition,
  uids: readonly number[],
  since: Date | null,
  { find, listOwnAddresses }: SyncPorts,
): Promise<ReadingBatch> {
  const { role, folder, uidValidity } = position
  const ownAddresses = await listOwnAddresses()
  // Servers give dates in whole seconds.
  const sinceMs = since === null ? 0 : Math.floor(since.getTime() / 1000) * 1000
  const looks: Look[] = (await connection.firstLook(uids))
    .filter(({ receivedAt }) => receivedAt.getTime() >= sinceMs)
    .map((look) => {
      const fields = new MailHeaders(look.headers)
      return { ...look, fields, candidate: classifyHeaders(fields, { role, ownAddresses }) }
    })
  const mails: FoundMail[] = []
  let unmatchedBounces = 0
  const wanted = looks.filter(({ candidate }) => candidate !== 'none' && candidate !== 'own')
  for (let start = 0; start < wanted.length; start += sourcesCount) {
    const chunk = wanted.slice(start, start + sourcesCount)
    const sources = await connection.sources(chunk.map(({ uid }) => uid))
    for (const { uid, receivedAt, sizeBytes, fields, candidate } of chunk) {
      const source = sources.get(uid)
      if (source === undefined || candidate === 'none' || candidate === 'own') continue
      const place = { folder, role, uidValidity, uid, receivedAt, sizeBytes }
      const result = await readMail(candidate, fields, source, place, find)
      mails.push(...result.mails)
      unmatchedBounces += result.unmatchedBounces
    }
  }
  return {
    position,
    mails,
    providerIds: role === 'sent' ? looks.flatMap(({ fields }) => providerIdOf(fields, find) ?? []) : [],
    counts: { seen: looks.length, unmatchedBounces },
  }
}

/** A copy in Sent whose Message-ID is not the one that we gave the mail. */
function providerIdOf(fields: MailHeaders, find: FindDelivery): ProviderId | null {
  const [ours] = findOurIds(fields.get('x-sendwright-id'))
  const [theirs] = readMessageIds(fields.get('message-id'))
  if (ours === undefined || theirs === undefined || !find.isProved(ours) || findOurIds(theirs).length > 0) return null
  return { idHash: hashOf(theirs), messageId: ours.messageId, deliveryId: ours.deliveryId }
}
