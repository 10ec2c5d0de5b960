import type { TSchema } from 'typebox'
import type { Operation } from '../../../contract/core/operation.ts'

/** Shape of a call's body: closed to unknown fields, unless the call ignores them (decisions, Second edition; H05). */
export function bodyShapeOf({ body, ignoresUnknownFields }: Operation): TSchema | undefined {
  return body === undefined || ignoresUnknownFields ? body : (close(body) as TSchema)
}

/** The same JSON Schema, with every object that lists its properties closed to others. */
function close(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.map(close)
  if (typeof shape !== 'object' || shape === null) return shape
  const closed = Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, close(value)]))
  const isOpen = closed['type'] === 'object' && 'properties' in closed && !('additionalProperties' in closed)
  return isOpen ? { ...closed, additionalProperties: false } : closed
}

/** Longest field name that is compared with the known ones and quoted whole, in characters. */
export const fieldNameMaxChars = 64

/** Field names that different calls use for the same thing, and that clients therefore mix up. */
const synonyms: readonly (readonly string[])[] = [
  ['body', 'content', 'html', 'htmlbody', 'html_body', 'html_content', 'htmlcontent', 'text', 'textbody', 'message'],
  ['recipient_list', 'recipients', 'to', 'emails', 'recipient', 'to_email', 'destinations'],
  ['context', 'variables', 'data', 'merge_variables', 'personalizations', 'substitutions', 'template_data', 'params'],
  ['scheduled_at', 'send_at', 'sendat', 'deliverytime', 'o:deliverytime', 'deliver_at', 'schedule', 'batch_at'],
  ['reply_to', 'replytolist', 'reply_to_list', 'h:reply-to'],
  ['from_name', 'from', 'sender_name', 'fromemailname', 'name'],
  ['cc', 'carbon_copy', 'ccaddresses', 'cc_list'],
  ['bcc', 'blind_copy', 'bccaddresses', 'bcc_list'],
  ['preheader', 'preview_text', 'previewtext', 'preview'],
  ['kind', 'message_stream', 'messagestream', 'message_type', 'type', 'category'],
  ['template_key', 'template_id', 'template', 'templateid', 'template_alias'],
]

/** The known field that an unknown one most likely means; null where none resembles it. */
export function nearestField(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > fieldNameMaxChars) return null
  const written = plain(unknown)
  const distances = known.map((name) => ({ name, distance: editDistance(written, plain(name)) }))
  const nearest = distances.toSorted((a, b) => a.distance - b.distance)[0]
  const allowed = Math.min(3, Math.ceil(written.length / 4))
  if (nearest !== undefined && nearest.distance <= allowed) return nearest.name
  const group = synonyms.find((names) => names.includes(unknown.toLowerCase()))
  return group?.find((name) => known.includes(name)) ?? null
}

/** `replyTo` and `reply-to` are `reply_to`. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Insertions, deletions and replacements that make one text of the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    let left = i + 1
    let diagonal = i
    row = row.map((above, j) => {
      if (j === 0) return left
      const replaced = diagonal + (a[i] === b[j - 1] ? 0 : 1)
      diagonal = above
      left = Math.min(replaced, above + 1, left + 1)
      return left
    })
  }
  return row.at(-1) ?? 0
}
