import type { Design } from '../../../contract/design/design.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import { addressVariable, baseVariable, testVariable } from '../../domain/campaigns/campaign-mail.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { PageQuery } from '../../domain/core/page.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { ScheduledRow } from '../../domain/messages/scheduled-message.ts'
import { htmlOfStored, refuseNewer, storedDesign } from '../../domain/templates/template-design.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { ScheduledMessageStore } from '../../store/messages/scheduled-message.ts'
import type { ReadMessage } from './read-message.ts'
import type { SendOptions } from './send-options.ts'

interface Ports {
  messages: Pick<MessageStore, 'exists'>
  scheduled: ScheduledMessageStore
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  readMessage: ReadMessage
  ensureMonth: (at: Date) => Promise<void>
}

/** A message that waits for its time, as it was written. */
export interface ScheduledMessage extends Omit<ScheduledRow, 'design' | 'extraHeaders'> {
  mode: TemplateMode
  design: Design | null
  /** Without those of cc and bcc. */
  to: string[]
}

/** What is changed of a scheduled message; absent: as it was. */
export interface ScheduledInput extends Omit<SendOptions, 'undoSeconds'> {
  subject?: string | undefined
  content?: string | undefined
  context?: MergeContext | undefined
  recipients?: readonly string[] | undefined
}

export type ScheduledMessages = ReturnType<typeof createScheduledMessages>

/** Messages that have not left: scheduled ones are shown, changed and cancelled, others undone. */
export function createScheduledMessages({ messages, scheduled, mailboxes, readMessage, ensureMonth }: Ports) {
  /** Throws `message_not_found`, and `message_state` for one that does not wait for its time. */
  const find = async (scope: Scope, id: string): Promise<ScheduledRow> => {
    const row = isRowId(id) ? await scheduled.find(scope, id) : null
    if (row !== null) return row
    await requireMessage(scope, id)
    throw new AppError('message_state')
  }

  const requireMessage = async (scope: Scope, id: string): Promise<void> => {
    if (!isRowId(id) || !(await messages.exists(scope, id))) throw new AppError('message_not_found')
  }

  const cancel = async (scope: Scope, id: string, isUndo: boolean): Promise<number> => {
    await requireMessage(scope, id)
    const count = await scheduled.cancel(scope, id, { isUndo })
    if (count !== null) return count
    if (!isUndo) throw new AppError('message_state')
    throw new AppError('undo_too_late', { detail: 'The time to undo has passed; the mails leave.' })
  }

  return {
    listScheduled: (scope: Scope, page: PageQuery) => scheduled.list(scope, page),

    /** Throws `message_not_found`, `message_state`. */
    getScheduled: async (scope: Scope, id: string): Promise<ScheduledMessage> => toMessage(await find(scope, id)),

    /** Throws what a send call does, `message_not_found`, `message_state`. */
    async updateScheduled(scope: Scope, id: string, input: ScheduledInput): Promise<ScheduledMessage> {
      const row = await find(scope, id)
      const before = toMessage(row)
      const [mailbox] = await mailboxes.findMailboxes(scope, [row.mailboxId])
      if (mailbox === undefined) throw new AppError('message_state')
      const { subject, content, context, recipients, ...options } = input
      const isRewritten = content !== undefined || options.design !== undefined
      if (!isRewritten) refuseNewer(before.design)
      const { message } = await readMessage({
        scope,
        mailbox,
        id,
        recipients: recipients ?? before.to,
        subject: subject ?? before.subject,
        content: isRewritten ? content : before.design === null ? before.content : undefined,
        isHtml: row.isHtml || isRewritten,
        context: context ?? before.context,
        templateKey: undefined,
        wait: 'never',
        options: { ...optionsOf(row, before, isRewritten), ...given(options) },
      })
      const { scheduledAt = null } = message.options ?? {}
      if (scheduledAt !== null) await ensureMonth(scheduledAt)
      if ((await scheduled.replace(scope, message)) === null) throw new AppError('message_state')
      return this.getScheduled(scope, id)
    },

    /** All mails of a message that has not left. Returns how many. Throws `message_not_found`, `message_state`. */
    cancelMessage: (scope: Scope, id: string) => cancel(scope, id, false),

    /** All mails of a message that was sent with time to undo it. Throws `message_not_found`, `undo_too_late`. */
    undoMessage: (scope: Scope, id: string) => cancel(scope, id, true),
  }
}

/** The options that a message was sent with. */
function optionsOf(row: ScheduledRow, { design }: ScheduledMessage, isRewritten: boolean): SendOptions {
  const hasHeaders = (row.extraHeaders ?? []).length > 0
  // Without a kind the headers to unsubscribe follow from the number of recipients.
  const isPlain = row.kind === 'transactional' && hasHeaders
  return {
    ...(!isRewritten && design !== null && { design }),
    ...(!isPlain && { kind: row.kind }),
    ...(row.preheader !== '' && { preheader: row.preheader }),
    fromName: row.fromName,
    replyTo: row.replyTo,
    cc: row.cc,
    bcc: row.bcc,
    scheduledAt: row.scheduledAt.toISOString(),
    timezone: row.timezone,
  }
}

function given(options: SendOptions): SendOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

const own = new Set([addressVariable, baseVariable, testVariable])

function toMessage({ design: source, extraHeaders: _, ...row }: ScheduledRow): ScheduledMessage {
  const html = (source as { html?: unknown } | null)?.html
  const design = typeof html === 'string' || source === null ? null : storedDesign(source)
  const copies = new Set([...row.cc, ...row.bcc])
  return {
    ...row,
    // What leaves has the footer, too: a design that can be rendered is shown without it.
    content: typeof html === 'string' ? html : design === null ? row.content : htmlOfStored(design, row.content),
    mode: design === null ? 'html' : design.layout === 'letter' ? 'text' : 'design',
    design,
    context: Object.fromEntries(Object.entries(row.context).filter(([name]) => !own.has(name))),
    to: row.recipients.filter((recipient) => !copies.has(recipient)),
  }
}
