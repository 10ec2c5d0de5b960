import { createConfigChanges } from '../../store/mailboxes/config-change.ts'
import { createConfigStore } from '../../store/mailboxes/config.ts'
import { createOAuthStates } from '../../store/mailboxes/oauth-state.ts'
import type { Parts } from '../parts.ts'

/** Mailboxes, and sign-ins at their providers that are under way. */
export function mailboxStores({ database, vault, now }: Parts) {
  return {
    configs: createConfigStore(database, vault, now),
    configChanges: createConfigChanges(database, vault, now),
    oauthStates: createOAuthStates(vault),
  }
}
