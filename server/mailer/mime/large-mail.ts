import type { DeliveryVariables, MessageContent } from '../../domain/messages/delivery.ts'
import { parseTemplate } from '../../../contract/mail/merge-variables.ts'
import { serializeError } from '../../domain/core/serialize-error.ts'
import type { TemplatePart } from '../../../contract/mail/merge-variables.ts'
import { mergeValues, type MailRecipient } from './merge-slots.ts'
import type { SenderLog } from '../queue/sender-ports.ts'
import type { WireMail } from '../smtp/smtp-job.ts'
import { TextTimeoutError, type TextPool } from './text-pool.ts'
import type { WorkerAnswer } from './text-task.ts'
import { UnbuildableError } from './unbuildable-error.ts'

/** A message whose mails are built in worker threads. */
export interface LargeMessage {
  isLarge: true
  fromAddress: string
  /** Approximate memory use. */
  sizeBytes: number
  /**
   * Builds one recipient's mail. Rejects with UnbuildableError or BuildError if the message is at fault; other errors may
   * be temporary.
   */
  build: (mail: MailRecipient, date: Date) => Promise<WireMail>
}

/** Dependencies of large messages. */
export interface LargeMailPorts {
  pool: TextPool
  log: Pick<SenderLog, 'warn'>
  newId: () => string
  /** Longest time for a text part with layout, in ms. */
  textLimitMs?: number
}

/** A message that cannot be built for an internal reason. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/** Smaller messages are built faster than they are transferred to a thread. */
const smallMaxChars = 100_000
/** Assumed length of a recipient's value: few are longer. */
const usualValueChars = 1000
const textLimitDefaultMs = 2000
/** The work is linear and the result at most 10 MB; only an overloaded machine takes this long. */
const buildLimitMs = 30_000

/** Whether a message is compiled and built in a thread. */
export function isLarge({ content, context }: MessageContent): boolean {
  if (content.length > smallMaxChars) return true
  let tagCount = 0
  for (let at = content.indexOf('{{'); at >= 0; at = content.indexOf('{{', at + 2)) tagCount += 1
  let longest = usualValueChars
  for (const value of Object.values(context)) longest = Math.max(longest, String(value).length)
  return content.length + tagCount * longest > smallMaxChars
}

/** `html`: what is sent in place of the content. Creates the text part once, with the first mail; without layout if that takes too long. */
export function compileLargeMessage(
  message: MessageContent,
  variables: DeliveryVariables,
  { pool, log, newId, textLimitMs = textLimitDefaultMs }: LargeMailPorts,
  html: readonly TemplatePart[] | null = null,
): LargeMessage {
  const { id, workspaceId, content, isHtml, fromAddress } = message
  const messageKey = newId()
  const htmlJson = html && JSON.stringify(html)
  const values = mergeValues(message, variables)
  let text: Promise<string> | null = null

  const convert = async (): Promise<string> => {
    const task = { kind: 'text', content } as const
    try {
      return textOf(await pool.run(workspaceId, { ...task, isPlain: false }, textLimitMs))
    } catch (error) {
      if (error instanceof BuildError) throw error
      log.warn(
        { message: id, ...(error instanceof TextTimeoutError ? {} : { err: serializeError(error) }) },
        'The text part of a large mail is created without layout: its HTML takes too long',
      )
      return textOf(await pool.run(workspaceId, { ...task, isPlain: true }, buildLimitMs))
    }
  }
  const textJson = async (): Promise<string | null> => {
    if (!isHtml) return null
    if (message.textPart !== null) return JSON.stringify(parseTemplate(message.textPart))
    text ??= convert()
    // A failure is not cached: the next recipient tries again.
    text.catch(() => (text = null))
    return text
  }

  return {
    isLarge: true,
    fromAddress,
    sizeBytes:
      4 * (message.subject.length + content.length) +
      (message.attachments ?? []).reduce((sum, { encoded }) => sum + encoded.byteLength, 0),
    async build(delivery, date) {
      const { id: mailId, recipient, context } = delivery
      const mail = { id: mailId, recipient, context }
      const providedValues = Object.fromEntries(
        Object.keys(variables).map((name) => [name, values.read({ name, fallback: '' }, delivery)]),
      )
      const parts = { textJson: await textJson(), htmlJson }
      const task = { messageKey, message, ...parts, mail, providedValues, dateMs: date.getTime() }
      const answer = await pool.run(workspaceId, { kind: 'build', ...task }, buildLimitMs)
      if (answer.kind !== 'built') throw refusalOf(answer)
      const { buffer, byteOffset, byteLength } = answer.bytes
      return { bytes: Buffer.from(buffer, byteOffset, byteLength), isWireReady: true }
    },
  }
}

function textOf(answer: WorkerAnswer): string {
  if (answer.kind !== 'text') throw refusalOf(answer)
  return answer.textJson
}

function refusalOf(answer: WorkerAnswer): Error {
  if (answer.kind !== 'refusal') return new BuildError('A thread returned the answer of another task')
  return answer.isUserFacing ? new UnbuildableError(answer.refusal) : new BuildError(answer.refusal)
}
