import type { Config } from '../../contract/mail/config.ts'
import { listEmailConfigs } from './config.ts'
import type { Session } from '../core/http.ts'
import { sharedList, type SharedList } from '../core/shared-list.ts'

/** Key under which the session shares its list of configurations (spec §3). */
export const mailboxListKey = 'email-config'

/** The configurations of a session, oldest first. */
export type MailboxList = SharedList<Config>

/** What choosers read of it. */
export type MailboxRows = Pick<MailboxList['state'], 'status' | 'items' | 'error'>

/** The session's shared list of configurations; the first caller creates it. All pages follow the first one. */
export function mailboxList(session: Session): MailboxList {
  return sharedList(session, {
    key: mailboxListKey,
    fetchPage: listEmailConfigs,
    newestAt: 'end',
    freshMs: 0,
    isWhole: true, // A chooser offers all of them.
  })
}
