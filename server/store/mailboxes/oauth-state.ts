import type { StartedSignIn } from '../../domain/mailboxes/mailbox-tokens.ts'
import { VaultError, type Place, type Vault } from '../vault/vault.ts'
import type { Scope } from '../../domain/auth/scope.ts'

const placeFor = (workspaceId: string): Place => ({
  table: 'oauth_states',
  column: 'state',
  row: '',
  workspace: workspaceId,
})

export type OAuthStates = ReturnType<typeof createOAuthStates>

/**
 * The `state` of a sign-in at a provider: its start, sealed for its workspace. So nothing is stored, and it cannot be
 * finished for another workspace.
 */
export function createOAuthStates(vault: Pick<Vault, 'seal' | 'open'>) {
  return {
    seal: ({ workspaceId }: Scope, started: StartedSignIn): string =>
      vault.seal(JSON.stringify(started), placeFor(workspaceId)).toString('base64url'),

    /** Null unless this workspace started it. */
    open({ workspaceId }: Scope, state: string): StartedSignIn | null {
      try {
        return JSON.parse(vault.open(Buffer.from(state, 'base64url'), placeFor(workspaceId))) as StartedSignIn
      } catch (error) {
        if (error instanceof VaultError) return null
        throw error
      }
    },
  }
}
