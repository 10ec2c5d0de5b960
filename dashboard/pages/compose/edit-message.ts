import { getScheduledMessage, updateScheduledMessage } from '../../../client/mail/scheduled-message.ts'
import type { Session } from '../../../client/core/http.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { keepsNewer } from '../../../widgets/compose/drafts/draft-store.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { draftOf, type SavedSource } from './edit-saved.ts'

export interface EditDeps {
  session: Session
  notify: Notify
  go: (path: string, options?: { state?: unknown }) => void
  t: Translate<string>
}

const list = '/dashboard/messages#scheduled'

/** A message that waits for its time. */
export function scheduledMessage(id: string, { session, notify, go, t }: EditDeps): SavedSource {
  return {
    failed: t('The message was not saved'),
    async load() {
      const message = await getScheduledMessage(session, id)
      const { subject, preheader, mode, design, content, context, recipient_list: recipients, kind } = message
      const { scheduled_at: iso, timezone, config_id: mailboxId } = message
      const fields = {
        fromName: message.from_name,
        replyTo: message.reply_to,
        cc: message.cc.join(', '),
        bcc: message.bcc.join(', '),
      }
      return {
        edited: { kind: 'message', act: t('Save changes'), time: { iso, timezone: timezone ?? 'UTC' } },
        mailboxId,
        draft: draftOf({ subject, preheader, mode, design, html: content, context, recipients, kind, fields }),
      }
    },
    async save({ state }, { attachments, undo_seconds: _undo, content, ...mail }) {
      if (attachments)
        throw new Error(t('The files of a scheduled message cannot be changed. Cancel it and send it again.'))
      const { from_name = null, reply_to = null, cc = [], bcc = [] } = mail
      const { preheader } = state.draft
      const body = content !== undefined && !keepsNewer(state.draft) && { content }
      await updateScheduledMessage(session, id, { ...mail, ...body, preheader, from_name, reply_to, cc, bcc })
      notify({ kind: 'success', text: t('The message was saved') })
      go(list)
      return true
    },
    onMissing(why) {
      notify({ kind: 'error', text: why ?? t('The message could not be loaded') })
      go(list)
    },
  }
}
