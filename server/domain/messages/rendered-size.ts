import type { ValidationItem } from '../../../contract/core/errors.ts'
import { contextValueMaxChars, mailMaxBytes, subjectMaxChars } from '../../../contract/mail/message.limits.ts'
import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  isVariable,
  mergeContexts,
  nameIn,
  parseTemplate,
  variableKey,
  type MergeContext,
  type TemplatePart,
} from '../../../contract/mail/merge-variables.ts'
import { baseVariable, preferencesVariable, unsubscribeVariable } from '../campaigns/campaign-mail.ts'
import { encodedBytes, literalBytes } from './encoded-size.ts'
import { testToken, unsubscribePath } from '../suppressions/unsubscribe-link.ts'
import { mailTokenChars, preferencesPath } from '../tracking/mail-link.ts'

/** A mail's texts before a recipient's own values are filled in. */
export interface SizedMail {
  subject: string
  content: string
  isHtml: boolean
  context: MergeContext
}

/** Why a mail cannot be sent to a recipient. */
export interface TooLarge {
  field: 'subject' | 'content'
  /** The merge variable that takes most of it; null where the template's own text does. */
  variable: string | null
  /** Names the recipient, the size and the variable, and what to do. */
  sentence: string
}

/** Sizes of one message's mails, without rendering any. */
export interface SizeCheck {
  /** Null where the mail fits. The work grows with the values of `own`, the recipient's context, only. */
  find: (recipient: string, own: MergeContext | null) => TooLarge | null
  /**
   * Own contexts that need no look: those whose JSON text has at most so many bytes in UTF-8. `infinity`: none needs one;
   * -1: each does, the absent one too.
   */
  safeContextBytes: number
}

/** How often a variable is used, and what its fallbacks take where it has no value. */
interface Use {
  htmlCount: number
  textCount: number
  fallbackBytes: number
}

/** The headers beside the subject: fixed names, one address each way, ids, the boundary lines. */
const headersMaxBytes = 4096
/** What the text part of an HTML mail may have beyond its HTML (mailer/mime/text-alternative.ts keeps to it). */
export const textExtraMaxBytes = 4096
/** Encoded words take at most so many bytes for one character of a subject. */
const subjectFactor = 14
/** Bytes on the wire for one byte of a value in UTF-8, the entity of a quote and soft breaks counted. */
const htmlFactor = 6.5
const textFactor = 3.5
/** Bytes on the wire of one character of a body at most, HTML and text together. */
const charMaxBytes = 20
/** A piece of any length begins and ends with so many bytes more at most. */
const pieceBytes = 8
const linkTokenChars = mailTokenChars
/** Of the pages that variables lead to. */
const longestPath = preferencesPath.length > unsubscribePath.length ? preferencesPath : unsubscribePath
const isLinkVariable = (name: string) => name === unsubscribeVariable || name === preferencesVariable

/** Prepares the check of a message's mails. `publicUrl`: where links lead that the message does not lead elsewhere. */
export function createSizeCheck(mail: SizedMail, publicUrl: string): SizeCheck {
  const base = String(mail.context[baseVariable] ?? publicUrl)
  const link = base + longestPath + testToken.padEnd(linkTokenChars, '-')
  const subject = checkSubject(mail, link)
  const body = checkBody(mail, link)
  return {
    find: (recipient, own) => subject.find(recipient, own) ?? body.find(recipient, own),
    // Asked for campaigns only; it may have to read the whole body.
    get safeContextBytes() {
      return Math.min(subject.safeContextBytes, body.safeContextBytes)
    },
  }
}

/**
 * Whether a mail whose recipients bring no values of their own fits whatever its template says. Most mails are so small;
 * the time that this takes does not grow with the body beyond a search for braces.
 */
export function surelyFits({ subject, content, context }: SizedMail, publicUrl: string): boolean {
  let longestChars = String(context[baseVariable] ?? publicUrl).length + longestPath.length + linkTokenChars
  for (const name in context) longestChars = Math.max(longestChars, String(context[name]).length)
  if (subject.length + tagCountOf(subject) * longestChars > subjectMaxChars) return false
  return worstBytes(content, tagCountOf(content), longestChars) <= mailMaxBytes
}

/** As one item of a 422; `contextPath` leads to the values that the caller gave. */
export function tooLargeItem({ field, variable, sentence }: TooLarge): ValidationItem {
  const loc = variable === null ? ['body', field] : ['body', 'context', variable]
  return { loc, msg: sentence, type: 'mail_too_large' }
}

/** More than a body of so many characters takes, HTML and text, all of its variables filled with so long values. */
function worstBytes(content: string, tagCount: number, valueChars: number): number {
  return (
    headersMaxBytes +
    textExtraMaxBytes +
    subjectFactor * subjectMaxChars +
    charMaxBytes * (content.length + tagCount * (valueChars + pieceBytes))
  )
}

function tagCountOf(text: string): number {
  let count = 0
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) count += 1
  return count
}

/** Fast path: most mails are small, which is known without parsing the template. */
function checkBody(mail: SizedMail, link: string): SizeCheck {
  const tagCount = tagCountOf(mail.content)
  let longestChars = link.length
  for (const name in mail.context) longestChars = Math.max(longestChars, String(mail.context[name]).length)
  const anyChars = Math.max(longestChars, contextValueMaxChars)
  if (worstBytes(mail.content, tagCount, anyChars) <= mailMaxBytes) return alwaysFits
  const isSmall = worstBytes(mail.content, tagCount, longestChars) <= mailMaxBytes
  return isSmall ? lateCheck(mail, link) : exactCheck(mail, link)
}

/** Reads the template once a recipient brings values of its own, which is the first time that it matters. */
function lateCheck(mail: SizedMail, link: string): SizeCheck {
  let exact: SizeCheck | null = null
  const read = () => (exact ??= exactCheck(mail, link))
  return {
    find: (recipient, own) => (own === null ? null : read().find(recipient, own)),
    get safeContextBytes() {
      return read().safeContextBytes
    },
  }
}

const alwaysFits: SizeCheck = { find: () => null, safeContextBytes: Infinity }

function exactCheck({ content, isHtml, context }: SizedMail, link: string): SizeCheck {
  const parts = parseTemplate(content)
  const uses = countUses(parts, isHtml)
  const bytesOf = (name: string, use: Use, own: MergeContext | null): number => {
    const value = valueOf(name, link, own, context)
    if (value === null) return use.fallbackBytes
    const htmlBytes = use.htmlCount > 0 ? use.htmlCount * encodedBytes(escapeHtml(value)) : 0
    return htmlBytes + use.textCount * encodedBytes(value)
  }
  const usesByKey = byKey(uses)
  const literal = literalBytes(parts)
  const fixedBytes =
    headersMaxBytes + subjectFactor * subjectMaxChars + literal + (isHtml ? literal + textExtraMaxBytes : 0)
  const shared = new Map([...uses].map(([name, use]) => [name, bytesOf(name, use, null)]))
  let sharedBytes = fixedBytes
  for (const bytes of shared.values()) sharedBytes += bytes
  let bySize: (readonly [string, number])[] | null = null

  const find = (recipient: string, own: MergeContext | null): TooLarge | null => {
    let bytes = sharedBytes
    let largest: readonly [string, number] | null = null
    for (const ownName in own) {
      for (const [name, use] of usesByKey.get(variableKey(ownName)) ?? []) {
        if (nameIn(own, name) !== ownName) continue
        const ownBytes = bytesOf(name, use, own)
        bytes += ownBytes - (shared.get(name) ?? 0)
        if (largest === null || ownBytes > largest[1]) largest = [name, ownBytes]
      }
    }
    if (bytes <= mailMaxBytes) return null
    bySize ??= [...shared].sort((a, b) => b[1] - a[1])
    const ofMessage = bySize.find(([name]) => own === null || nameIn(own, name) === undefined)
    if (ofMessage && (largest === null || ofMessage[1] > largest[1])) largest = ofMessage
    return sizeProblem(recipient, bytes, largest)
  }
  return { find, safeContextBytes: safeBytes(usesByKey, sharedBytes) }
}

/** The spellings of each variable, by its key: one value of a recipient fills them all. */
type UsesByKey = ReadonlyMap<string, readonly (readonly [name: string, use: Use])[]>

function byKey(uses: ReadonlyMap<string, Use>): UsesByKey {
  const own = [...uses].filter(([name]) => !isLinkVariable(name))
  return Map.groupBy(own, ([name]) => variableKey(name))
}

/** See SizeCheck: a context of so many bytes cannot lift the mail above the limit, wherever they are used. */
function safeBytes(usesByKey: UsesByKey, sharedBytes: number): number {
  if (sharedBytes > mailMaxBytes) return -1
  let perByte = 0
  let restBytes = mailMaxBytes - sharedBytes
  for (const spellings of usesByKey.values()) {
    let bytes = 0
    for (const [, { htmlCount, textCount }] of spellings) {
      bytes += htmlCount * htmlFactor + textCount * textFactor
      restBytes -= (htmlCount + textCount) * pieceBytes
    }
    perByte = Math.max(perByte, bytes)
  }
  return perByte === 0 ? Infinity : Math.max(0, Math.floor(restBytes / perByte))
}

function countUses(parts: readonly TemplatePart[], isHtml: boolean): Map<string, Use> {
  const uses = new Map<string, Use>()
  for (const part of parts) {
    if (!isVariable(part)) continue
    const use = uses.get(part.name) ?? { htmlCount: 0, textCount: 0, fallbackBytes: 0 }
    // The text part shows a variable at most as often as the HTML does.
    use.textCount += 1
    if (isHtml) use.htmlCount += 1
    if (part.fallback !== '')
      use.fallbackBytes += encodedBytes(part.fallback) + (isHtml ? encodedBytes(escapeHtml(part.fallback)) : 0)
    uses.set(part.name, use)
  }
  return uses
}

/** What mailer/mime/mime.ts fills in; null where that is the fallback. */
function valueOf(name: string, link: string, own: MergeContext | null, context: MergeContext): string | null {
  if (isLinkVariable(name)) return link
  const ownName = own ? nameIn(own, name) : undefined
  if (own && ownName !== undefined) return String(own[ownName])
  const sharedName = nameIn(context, name)
  return sharedName === undefined ? null : String(context[sharedName])
}

function checkSubject({ subject, context }: SizedMail, link: string): SizeCheck {
  if (!subject.includes('{{')) return alwaysFits
  const parts = parseTemplate(subject)
  const useCounts = new Map<string, number>()
  for (const part of parts) if (isVariable(part)) useCounts.set(part.name, (useCounts.get(part.name) ?? 0) + 1)
  if (useCounts.size === 0) return alwaysFits
  const fill = (own: MergeContext | null) =>
    escapeHeader(
      fillTemplate(
        parts,
        { ...mergeContexts(context, own), [unsubscribeVariable]: link, [preferencesVariable]: link },
        escapeHeader,
      ),
    )
  const lengthOf = (name: string, own: MergeContext | null) =>
    (valueOf(name, link, own, context) ?? '').length * (useCounts.get(name) ?? 0)
  const names = [...useCounts.keys()]
  const find = (recipient: string, own: MergeContext | null): TooLarge | null => {
    const mostChars = names.reduce((sum, name) => sum + lengthOf(name, own), subject.length)
    if (mostChars <= subjectMaxChars) return null
    const chars = charsIn(fill(own).trim())
    if (chars <= subjectMaxChars) return null
    const variable = names.reduce((a, b) => (lengthOf(b, own) > lengthOf(a, own) ? b : a))
    return subjectProblem(recipient, chars, variable)
  }
  return {
    find,
    get safeContextBytes() {
      const leftChars = subjectMaxChars - charsIn(fill(null))
      // Spellings of one variable are filled with one value.
      const byName = Map.groupBy(useCounts, ([name]) => variableKey(name)).values()
      const counts = [...byName].map((spellings) => spellings.reduce((sum, [, count]) => sum + count, 0))
      return leftChars < 0 ? -1 : Math.floor(leftChars / Math.max(...counts))
    },
  }
}

/** Code points, which is what the contract counts too. */
function charsIn(text: string): number {
  return Array.from(text).length
}

function subjectProblem(recipient: string, chars: number, variable: string): TooLarge {
  const size = `would have ${chars} characters once its variables are filled; at most ${subjectMaxChars} are allowed`
  const sentence = `The subject of the mail to ${recipient} ${size}. The variable “${variable}” takes most of it: shorten its value.`
  return { field: 'subject', variable, sentence }
}

function sizeProblem(recipient: string, bytes: number, largest: readonly [string, number] | null): TooLarge {
  const rule = `The mail to ${recipient} would have ${inMegabytes(bytes)}; at most ${inMegabytes(mailMaxBytes)} are allowed.`
  if (largest === null || largest[1] === 0) return { field: 'content', variable: null, sentence: `${rule} Shorten it.` }
  const [variable, ownBytes] = largest
  const sentence = `${rule} The variable “${variable}” takes ${inMegabytes(ownBytes)} of it: shorten its value, or use it less often.`
  return { field: 'content', variable, sentence }
}

/** Rounded up, so that what is above a limit also reads so. */
function inMegabytes(bytes: number): string {
  return `${Math.ceil((bytes * 10) / (1024 * 1024)) / 10} MB`
}
