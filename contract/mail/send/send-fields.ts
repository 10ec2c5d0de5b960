import { Type } from 'typebox'
import { preheaderMaxChars } from '../../design/design.limits.ts'
import type { Design } from '../../design/design.ts'
import { templateModes } from '../template.ts'
import { fromNameMaxChars, groupMaxCount, undoMaxSeconds } from './send.limits.ts'

/** What a message is: by it the unsubscribe headers and the footer are added. */
export const messageKinds = ['personal', 'bulk', 'transactional'] as const
export type MessageKind = (typeof messageKinds)[number]

/** A design document in a call; the server validates it. */
export const DesignInput = Type.Unsafe<Design | Readonly<Record<string, unknown>>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'A design document (version 1), in place of the body; the server renders it',
    },
  ),
)

const kindDescription =
  'bulk: unsubscribe headers, and a footer with your postal address and a link to unsubscribe; personal (up to 10 recipients) and transactional: neither'

/** How a message is written and what its header says, in calls that send or save one. */
export const WritingInput = {
  design: Type.Optional(DesignInput),
  mode: Type.Optional(
    Type.Enum([...templateModes], { description: 'Follows from body or design if absent; another one is refused' }),
  ),
  preheader: Type.Optional(
    Type.String({ maxLength: preheaderMaxChars, description: 'Text behind the subject in the inbox' }),
  ),
  from_name: Type.Optional(
    Type.Union([Type.String({ maxLength: fromNameMaxChars }), Type.Null()], {
      description: 'Name of the sender; null: that of the mailbox',
    }),
  ),
  reply_to: Type.Optional(
    Type.Union([Type.String({ maxLength: 320 }), Type.Null()], {
      description: 'Address for replies; null: that of the mailbox',
    }),
  ),
  kind: Type.Optional(Type.Enum([...messageKinds], { description: kindDescription })),
}

/** The same in an answer. */
export const Writing = {
  mode: Type.Enum([...templateModes]),
  preheader: Type.String(),
  from_name: Type.Union([Type.String(), Type.Null()], { description: 'null: that of the mailbox' }),
  reply_to: Type.Union([Type.String(), Type.Null()], { description: 'null: that of the mailbox' }),
  kind: Type.Enum([...messageKinds], { description: kindDescription }),
}

const group = (name: string) =>
  Type.Optional(
    Type.Array(Type.String(), {
      description: `${name} Everyone gets one and the same message then; at most ${groupMaxCount} addresses together`,
    }),
  )

export const scheduledAt = Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
  description: 'ISO 8601; without an offset it is a time of day in `timezone`',
  examples: ['2027-03-01T09:00'],
})
export const timezone = Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
  description: 'IANA name; UTC where it is absent',
  examples: ['Europe/Berlin'],
})

export const undoSeconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: undoMaxSeconds,
    default: 0,
    description: 'So long nothing leaves, and the call can be undone',
  }),
)

/** Further recipients of one message, and when it leaves. */
export const DispatchInput = {
  cc: group('Copies, visible to everyone.'),
  bcc: group('Copies that the other recipients do not see.'),
  undo_seconds: undoSeconds,
  scheduled_at: Type.Optional(scheduledAt),
  timezone: Type.Optional(timezone),
}
