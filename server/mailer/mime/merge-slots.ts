import { conditionHolds, type ConditionMark, type MergeCondition } from '../../../contract/mail/merge-conditions.ts'
import {
  nameIn,
  type MergeContext,
  type MergeVariable,
  type TemplatePart,
} from '../../../contract/mail/merge-variables.ts'
import type { DeliveryVariables, LinkedDelivery, MailValues, MessageContent } from '../../domain/messages/delivery.ts'
import { encodeLastPiece, encodePiece } from './quoted-printable.ts'

/** The recipient-specific data of a mail. */
export interface MailRecipient extends LinkedDelivery {
  context: MergeContext | null
}

/** A recipient-specific part; ASCII except for the address. */
export type Slot = (mail: MailRecipient, date: Date) => string
export type Part = string | Slot

/** Reads the values of a message's merge variables for one recipient. */
export interface MergeValues {
  read: (variable: MergeVariable, mail: MailRecipient) => string
  holds: (condition: MergeCondition, mail: MailRecipient) => boolean
}

/** Precedence: values of the server, the recipient, the message, the variable's fallback. */
export function mergeValues(message: MessageContent, variables: DeliveryVariables): MergeValues {
  // The same for every mail of the message.
  const sharedNames = new Map<string, string | undefined>()
  const sharedNameOf = (name: string) => {
    if (!sharedNames.has(name)) sharedNames.set(name, nameIn(message.context, name))
    return sharedNames.get(name)
  }
  const valuesOf = (mail: MailRecipient): MailValues => ({
    read: (variable) => values.read(variable, mail),
    holds: (condition) => values.holds(condition, mail),
  })
  const valueOf = (name: string, mail: MailRecipient) => {
    if (Object.hasOwn(variables, name)) return variables[name]?.(mail, message, valuesOf(mail)) ?? ''
    const ownName = mail.context ? nameIn(mail.context, name) : undefined
    if (mail.context && ownName !== undefined) return mail.context[ownName]
    const sharedName = sharedNameOf(name)
    return sharedName === undefined ? undefined : message.context[sharedName]
  }
  const values: MergeValues = {
    read: ({ name, fallback }, mail) => String(valueOf(name, mail) ?? fallback),
    holds: (condition, mail) => conditionHolds(condition, valueOf(condition.name, mail)),
  }
  return values
}

/** The parts of a body in quoted-printable. Each branch of a condition is encoded once; a recipient costs one test. */
export function encodeBody(
  parts: readonly TemplatePart[],
  escape: (value: string) => string,
  values: MergeValues,
): Part[] {
  const encoded: Part[] = []
  const encodeValue = rememberLast((value) => encodePiece(escape(value)))
  // One slot for all places of a variable.
  const slots = new Map<string, Slot>()
  const slotOf = (variable: MergeVariable): Slot => {
    const key = JSON.stringify([variable.name, variable.fallback])
    const slot = slots.get(key) ?? ((mail: MailRecipient) => encodeValue(values.read(variable, mail)))
    slots.set(key, slot)
    return slot
  }
  let branches: { condition: MergeCondition; shown: Part[]; other: Part[]; isOther: boolean } | null = null
  const end = parts.length - 1
  const lastIf = markAt(parts, end) === 'end' ? parts.findLastIndex((_part, at) => markAt(parts, at) === 'if') : end
  for (const [at, part] of parts.entries()) {
    if (typeof part === 'string' || !('mark' in part)) {
      const isLast = at === end || (at > lastIf && markAt(parts, at + 1) !== null)
      const encode = isLast ? encodeLastPiece : encodePiece
      const target: Part[] = branches === null ? encoded : branches.isOther ? branches.other : branches.shown
      if (typeof part === 'string') target.push(encode(part))
      else if (isLast) target.push((mail) => encodeLastPiece(escape(values.read(part, mail))))
      else target.push(slotOf(part))
    } else if (part.mark === 'if') branches = { condition: part, shown: [], other: [], isOther: false }
    else if (branches && part.mark === 'else') branches.isOther = true
    else if (branches) {
      const { condition } = branches
      const [shown, other] = [joinParts(branches.shown), joinParts(branches.other)]
      encoded.push((mail, date) => {
        const branch = values.holds(condition, mail) ? shown : other
        return typeof branch === 'string' ? branch : branch(mail, date)
      })
      branches = null
    }
  }
  return encoded
}

/** Links within a condition repeat one value, the mail's token. */
function rememberLast(encode: (value: string) => string): (value: string) => string {
  let last = ''
  let encoded = ''
  return (value) => {
    if (value === last) return encoded
    encoded = encode(value)
    last = value
    return encoded
  }
}

function markAt(parts: readonly TemplatePart[], at: number): ConditionMark['mark'] | null {
  const part = parts[at]
  return typeof part === 'object' && 'mark' in part ? part.mark : null
}

/** Neighbouring texts as one; a slot where a part differs from recipient to recipient. */
function joinParts(parts: readonly Part[]): Part {
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  return (mail, date) => parts.map((part) => (typeof part === 'string' ? part : part(mail, date))).join('')
}
