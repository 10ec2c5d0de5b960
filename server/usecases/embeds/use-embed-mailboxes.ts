import { parseAddress } from '../../../contract/core/address.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { serverMessages } from '../../../contract/core/server-messages.ts'
import type { NewConfig } from '../../../contract/mail/config.ts'
import type { MailboxRow } from '../../domain/mailboxes/mailbox.ts'
import { canUseMailbox, type EmbedCaller } from '../../domain/auth/embed.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { EmbedStore } from '../../store/embeds/embed.ts'
import type { EmbedSessionStore } from '../../store/embeds/embed-session.ts'
import type { EmbedUsage } from '../../store/embeds/embed-usage.ts'

interface Page {
  limit: number
  offset: number
}

interface Ports {
  mailboxes: Pick<MailboxStore, 'list' | 'findByAddress'>
  embeds: Pick<EmbedStore, 'connectMailbox'>
  embedSessions: Pick<EmbedSessionStore, 'connectMailbox'>
  embedUsage: Pick<EmbedUsage, 'note'>
  connectMailbox: (scope: Scope, config: NewConfig) => Promise<MailboxRow>
}

/** The mailboxes of embed sessions. */
export function createUseEmbedMailboxes(ports: Ports) {
  return {
    /** The mailboxes of a session, oldest first, each with its alias in place of the secret key. */
    async listEmbedMailboxes(scope: Scope, { grant, aliasOf }: EmbedCaller, page: Page) {
      const { rows, ...rest } = await ports.mailboxes.list(scope, page, grant.mailboxIds)
      return { ...rest, rows: rows.map((row) => ({ ...row, secretKey: aliasOf(row.id) })) }
    },

    /** Connects a mailbox, which the embed may use from then on. Throws what `connectMailbox` does, and `embed_forbidden`. */
    async connectEmbedMailbox(scope: Scope, { grant, aliasOf }: EmbedCaller, config: NewConfig): Promise<MailboxRow> {
      const parsed = parseAddress(config.email_address)
      const known = parsed.ok ? await ports.mailboxes.findByAddress(scope, parsed.address, config.provider) : null
      if (known !== null && !canUseMailbox(grant, known)) {
        throw new AppError('embed_forbidden', { detail: serverMessages.mailbox_not_in_embed })
      }
      const saved = await ports.connectMailbox(scope, config)
      if (!canUseMailbox(grant, saved.id)) {
        await ports.embeds.connectMailbox(scope, grant.embedId, saved.id)
        await ports.embedSessions.connectMailbox(scope, grant.sessionId, saved.id)
      }
      await ports.embedUsage.note(scope, grant, 'config-saved')
      return { ...saved, secretKey: aliasOf(saved.id) }
    },

    /** Throws `config_not_found` for one that the session may not use. */
    requireEmbedMailbox({ grant }: EmbedCaller, id: string): void {
      if (!isRowId(id) || !canUseMailbox(grant, id)) throw new AppError('config_not_found')
    },
  }
}
