import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { DeliveryStore } from '../../store/messages/delivery.ts'

interface Ports {
  mailboxes: Pick<MailboxStore, 'remove'>
  deliveries: Pick<DeliveryStore, 'cancelUnsent'>
}

/** Disconnects a mailbox, erases its secrets and cancels what it has not sent. Throws `config_not_found`. */
export function createDeleteMailbox(ports: Ports) {
  return async (scope: Scope, id: string): Promise<void> => {
    const isGone = isRowId(id) && (await ports.mailboxes.remove(scope, id))
    if (!isGone) throw new AppError('config_not_found')
    await ports.deliveries.cancelUnsent(scope, id)
  }
}
