import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { MessageContent } from '../../domain/messages/delivery.ts'

/** Converts HTML into the text part; `isPlain`: without layout, in linear time. The answer is TemplatePart[] as JSON. */
export interface TextTask {
  kind: 'text'
  content: string
  isPlain: boolean
}

/** Builds one recipient's mail. */
export interface BuildTask {
  kind: 'build'
  /** Cache key of the compiled message: a worker compiles it once for all recipients. */
  messageKey: string
  message: MessageContent
  /** The answer of a TextTask; null without HTML. */
  textJson: string | null
  /** TemplatePart[] in place of the content's HTML; null: as written. */
  htmlJson: string | null
  mail: { id: number; recipient: string; context: MergeContext | null }
  /** Values that the server provides, such as `unsubscribe_url`. */
  providedValues: Readonly<Record<string, string>>
  dateMs: number
}

export type WorkerTask = TextTask | BuildTask

/** `refusal`: why the message cannot be built; a sentence for the sender if `isUserFacing`. */
export type WorkerAnswer =
  | { kind: 'text'; textJson: string }
  | { kind: 'built'; bytes: Uint8Array }
  | { kind: 'refusal'; refusal: string; isUserFacing: boolean }
