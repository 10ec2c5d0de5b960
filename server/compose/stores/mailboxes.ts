import { createMailboxChanges } from '../../store/mailboxes/mailbox-change.ts'
import { createMailboxStore } from '../../store/mailboxes/mailbox.ts'
import { createOAuthStates } from '../../store/mailboxes/oauth-state.ts'
import type { Parts } from '../core/parts.ts'

/** Mailboxes, and pending sign-ins at their providers. */
export function mailboxStores({ database, vault, now }: Parts) {
  return {
    mailboxes: createMailboxStore(database, vault, now),
    mailboxChanges: createMailboxChanges(database, vault, now),
    oauthStates: createOAuthStates(vault),
  }
}
