import type { KeyObject } from 'node:crypto'
import { fillParts, parseTemplate, variableKey, type TemplatePart } from '../../contract/mail/merge-variables.ts'
import {
  baseVariable,
  preferencesVariable,
  testVariable,
  unsubscribeVariable,
} from '../domain/campaigns/campaign-mail.ts'
import type { DeliveryVariables, LinkedDelivery, MessageContent, TrackedHtml } from '../domain/messages/delivery.ts'
import { testToken, unsubscribePath } from '../domain/suppressions/unsubscribe-link.ts'
import { clickPath, pixelPath, preferencesPath } from '../domain/tracking/mail-link.ts'
import { signLink } from './link.ts'
import { destinationOf, rewriteHtml, type FilledLink } from './rewrite.ts'
import { signToken } from './token.ts'

export interface MailTrackingPorts {
  /** The key of this id; of null: the one of messages without an id. Throws for an unknown one. */
  mailKey: (id: string | null) => KeyObject
  /** Where links lead whose message has no base of its own; null if this process does not know it. */
  publicUrl: string | null
}

/** No template can contain a variable of these names. */
const tokenVariable = ':token'
const linkVariable = (no: number) => `:link${no}`
const ownVariables = new Set([unsubscribeVariable, preferencesVariable].map(variableKey))

/** The links of mails: their variables, and the tracked form of a message. */
export function createMailTracking({ mailKey, publicUrl }: MailTrackingPorts) {
  const baseOf = ({ links, context }: MessageContent) =>
    links?.base ?? String(context[baseVariable] ?? publicUrl ?? '').replace(/\/$/, '')
  const tokenOf = (message: MessageContent, delivery: LinkedDelivery, isCounted: boolean) => {
    const { workspaceNo = 0, keyId = null } = message.links ?? {}
    const { id, month } = delivery
    if (month === undefined) throw new Error('A delivery without its month has no links')
    return signToken(mailKey(keyId), { workspaceNo, month, messageId: message.id, deliveryId: isCounted ? 0 : id })
  }
  // A mail uses its token many times: in its header, in each link and in the image.
  const ownToken = rememberLast(tokenOf, ({ id, month }) => `${id} ${month}`)
  const countToken = rememberLast(tokenOf, ({ month }) => String(month))
  const pageToken = (message: MessageContent, delivery: LinkedDelivery) =>
    message.context[testVariable] === true ? testToken : ownToken(message, delivery, false)

  const trackToken: DeliveryVariables[string] = (delivery, message) =>
    message.links?.tracking === 'counts' || delivery.tracking === 'counts'
      ? countToken(message, delivery, true)
      : ownToken(message, delivery, false)

  const variables: DeliveryVariables = {
    [unsubscribeVariable]: (delivery, message) => baseOf(message) + unsubscribePath + pageToken(message, delivery),
    [preferencesVariable]: (delivery, message) => baseOf(message) + preferencesPath + pageToken(message, delivery),
    [tokenVariable]: trackToken,
  }

  const token: TemplatePart = { name: tokenVariable, fallback: '' }

  return {
    /** Variables of every message. */
    variables,

    /** The tracked HTML of a message; null if it is not tracked. Throws MergeSyntaxError. */
    async track(message: MessageContent): Promise<TrackedHtml | null> {
      if (!message.isHtml || message.links === undefined || message.links.tracking === 'off') return null
      const { utm, keyId } = message.links
      const base = baseOf(message)
      // A worker that does not know where links lead.
      if (base === '') return null
      const key = mailKey(keyId)
      const ownOrigins = new Set(
        [base, publicUrl, message.context[baseVariable]].flatMap((own) =>
          typeof own === 'string' ? (URL.parse(own)?.origin ?? []) : [],
        ),
      )
      const isOwn = ({ origin }: URL) => ownOrigins.has(origin)
      const start = `${base}${clickPath}`
      const filled: DeliveryVariables[] = []
      const addFilled = ({ no, parts }: FilledLink): TemplatePart => {
        const name = linkVariable(no)
        const urlOf: DeliveryVariables[string] = (delivery, of, values) => {
          const written = fillParts(parts, values.read, values.holds)
          const url = destinationOf(written, { isOwn, utm })
          if (url === null) return written
          return start + trackToken(delivery, of, values) + signLink(key, { messageId: of.id, no, url })
        }
        filled.push({ [name]: urlOf })
        return { name, fallback: '' }
      }
      const { html, links } = await rewriteHtml(parseTemplate(message.content), {
        utm,
        isOwn,
        ownVariables,
        staticLink: (link) => [start, token, signLink(key, { messageId: message.id, ...link })],
        filledLink: addFilled,
        pixel: [
          `<img src="${base}${pixelPath}`,
          token,
          '.gif" alt="" width="1" height="1" style="border:0;width:1px;height:1px">',
        ],
      })
      return { html, links, variables: Object.assign({}, ...filled) as DeliveryVariables }
    },
  }
}

/** The last result, while the message and what `keyOf` reads of the delivery are the same. */
function rememberLast(
  sign: (message: MessageContent, delivery: LinkedDelivery, isCounted: boolean) => string,
  keyOf: (delivery: LinkedDelivery) => string,
): typeof sign {
  let last: { messageId: string; id: number; key: string; token: string } | null = null
  return (message, delivery, isCounted) => {
    if (last?.messageId === message.id && last.id === delivery.id) return last.token
    const key = keyOf(delivery)
    const token = last?.messageId === message.id && last.key === key ? last.token : sign(message, delivery, isCounted)
    last = { messageId: message.id, id: delivery.id, key, token }
    return token
  }
}
