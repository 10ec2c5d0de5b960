import type { ConfigChanges } from '../../../contract/mail/config.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { serverMessages } from '../../../contract/core/server-messages.ts'
import type { MailboxRow } from '../../domain/mailboxes/mailbox.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxChangeStore } from '../../store/mailboxes/mailbox-change.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  mailboxChanges: Pick<MailboxChangeStore, 'change' | 'rotateKey'>
  wakeSender: (mailbox: MailboxKey) => void
  newSecretKey: () => string
  /** The secret key that a call creates, by its id. */
  secretKeyOf: (resourceId: string) => string
  noteSecurityEvent: NoteSecurityEvent
}

/** Changes to a connected mailbox. */
export function createMailboxService(ports: Ports) {
  const { mailboxChanges, wakeSender, newSecretKey, secretKeyOf } = ports
  return {
    /** Throws `config_not_found`, and `mailbox_paused` for one that cannot be resumed yet. */
    async updateMailbox(scope: Scope, id: string, changes: ConfigChanges): Promise<MailboxRow> {
      const { status } = changes
      const {
        limit_per_minute: limitPerMinute,
        limit_per_day: limitPerDay,
        limit_connections: limitConnections,
      } = changes
      const config = isRowId(id)
        ? await mailboxChanges.change(scope, id, {
            ...(status !== undefined && { status }),
            ...(status === 'paused' && { pauseReason: serverMessages.mailbox_paused_by_owner }),
            ...(limitPerMinute !== undefined && { limitPerMinute }),
            ...(limitPerDay !== undefined && { limitPerDay }),
            ...(limitConnections !== undefined && { limitConnections }),
          })
        : null
      if (config === null) throw new AppError('config_not_found')
      if (status === 'active' && config.status === 'paused') {
        throw new AppError('mailbox_paused', config.pauseReason === null ? {} : { detail: config.pauseReason })
      }
      wakeSender({ workspaceId: scope.workspaceId, mailboxId: id })
      return config
    },

    /** Returns the same key for the same `resourceId`; null gives a new one each time. Throws `config_not_found`. */
    async rotateSecretKey(scope: Scope, id: string, resourceId: string | null): Promise<MailboxRow> {
      const secretKey = resourceId === null ? newSecretKey() : secretKeyOf(resourceId)
      const config = isRowId(id) ? await mailboxChanges.rotateKey(scope, id, secretKey) : null
      if (config === null) throw new AppError('config_not_found')
      ports.noteSecurityEvent('secret_key_rotated', { workspaceId: scope.workspaceId, mailboxId: id })
      return config
    },
  }
}
