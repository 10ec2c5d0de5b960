import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { MessageContent } from '../../domain/messages/delivery.ts'

/** Turns HTML into its text part; `isPlain`: without layout, in linear time. Answers TemplatePart[] as JSON. */
export interface TextTask {
  kind: 'text'
  content: string
  isPlain: boolean
}

/** Builds one recipient's mail. */
export interface BuildTask {
  kind: 'build'
  /** Names this reading of the message, so that a worker reads it once for all recipients. */
  messageKey: string
  message: MessageContent
  /** As a TextTask answered it; null where there is no HTML. */
  textJson: string | null
  mail: { id: number; recipient: string; context: MergeContext | null }
  /** Values that the server gives itself, such as `unsubscribe_url`. */
  given: Readonly<Record<string, string>>
  dateMs: number
}

export type WorkerTask = TextTask | BuildTask

/** `refusal`: why the message can be sent to nobody, in a sentence for its sender where `isTold`. */
export type WorkerAnswer =
  | { kind: 'text'; textJson: string }
  | { kind: 'built'; bytes: Uint8Array }
  | { kind: 'refusal'; refusal: string; isUserFacing: boolean }
