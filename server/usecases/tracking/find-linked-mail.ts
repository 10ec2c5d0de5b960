import type { SystemScope } from '../../domain/auth/scope.ts'
import type { LinkedMail } from '../../domain/suppressions/unsubscribe-link.ts'
import type { MailToken } from '../../domain/tracking/mail-link.ts'
import type { WorkspaceNumbers } from '../../store/directory/workspace-number.ts'

interface Ports {
  /** Null for what was not signed here. */
  readToken: (token: string) => MailToken | null
  /** The same for tokens of version 1. */
  readLegacyToken: (token: string) => { workspaceId: string | null; messageId: string; deliveryId: number } | null
  directory: Pick<WorkspaceNumbers, 'findWorkspaces' | 'findWorkspaceOfMessage'>
  system: SystemScope
}

export type FindLinkedMail = ReturnType<typeof createFindLinkedMail>

/** Finds the mail that the token of a link names, of any version; null for an invalid token. */
export function createFindLinkedMail({ readToken, readLegacyToken, directory, system }: Ports) {
  return async (token: string): Promise<LinkedMail | null> => {
    const mail = readToken(token)
    if (mail) {
      const { workspaceNo, month, messageId, deliveryId } = mail
      const workspaceId = (await directory.findWorkspaces(system, [workspaceNo])).get(workspaceNo)
      return workspaceId === undefined || deliveryId === 0 ? null : { workspaceId, month, messageId, deliveryId }
    }
    const legacy = readLegacyToken(token)
    if (legacy === null) return null
    const { messageId, deliveryId } = legacy
    const workspaceId = legacy.workspaceId ?? (await directory.findWorkspaceOfMessage(system, messageId))
    return workspaceId === null ? null : { workspaceId, month: null, messageId, deliveryId }
  }
}
