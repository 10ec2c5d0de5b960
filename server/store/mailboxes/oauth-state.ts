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
 * The `state` of a sign-in at a provider: what was begun, sealed for the workspace that began it, so that nothing has to be
 * kept and nobody can finish it for another workspace.
 */
export function createOAuthStates(vault: Pick<Vault, 'seal' | 'open'>) {
  return {
    seal: ({ workspaceId }: Scope, started: StartedSignIn): string =>
      vault.seal(JSON.stringify(started), placeFor(workspaceId)).toString('base64url'),

    /** Null for anything else than what this workspace began. */
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
