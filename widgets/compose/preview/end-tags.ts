import { cutMail, depthMaxCount, token, type MailPiece } from '../../lib/mail-pieces.ts'

const inline = /^(?:a|b|i|u|s|em|strong|small|big|font|span|sub|sup|code|strike)$/
/** Blocks in which paragraphs and links may stay open. */
const holder = /^(?:|div|td|th|li|center|blockquote)$/
const block = /^(?:div|center|blockquote|[uo]l|h[1-6])$/
const tablePart = /^t(?!d$|h$)/
const tableTag = /^(?:table|thead|tbody|tfoot|tr|td|th)$/
/** What reopens, in a paragraph, a link that was open at the end of the one before. */
const content = /^(?:[^<\0]|<(?:b|i|u|s|em|strong|small|big|font|span|sub|sup|code|strike|br|img)[\s/>])/i

/**
 * The HTML with the end tags of paragraphs and links that a parser implies, which reads it the same: where another
 * paragraph or link begins, or the element around ends. A link that is open where a paragraph ends is begun again in the
 * next. Unchanged where it is not that plain; one pass.
 */
export function withEndTags(html: string): string {
  const writer = new EndTagWriter(html)
  for (const { 0: text, 1: slash, 2: name = '', index } of html.matchAll(token))
    if (!writer.read(name.toLowerCase(), { text, isEnd: slash !== '', index })) return html
  return writer.finish() ?? html
}

interface Tag {
  text: string
  isEnd: boolean
  index: number
}

/** Reads tags in turn; its methods return false where the HTML is not plain enough. */
class EndTagWriter {
  private readonly open: string[] = []
  private written = ''
  private writtenTo = 0
  /** Tag of the open link. */
  private link = ''
  /** Tag of a link that is to be begun again, in a paragraph that follows at once; empty without one. */
  private pending = ''
  /** Where the tag before ended. */
  private readTo = 0
  private readonly html: string

  constructor(html: string) {
    this.html = html
  }

  /** `name`: empty of a comment, and of the beginning of what is no tag. */
  read(name: string, tag: Tag): boolean {
    const { text, isEnd, index } = tag
    const isNext = this.pending === '' || (name === 'p' && !isEnd && index === this.readTo)
    if (!isNext || this.open.length > depthMaxCount) return false
    this.readTo = index + text.length
    if (name === '') return text.length > 2
    if (isEnd) return name === 'p' ? this.endParagraph(index, '') : this.end(name, index)
    if (name === 'p') return this.beginParagraph(index)
    if (block.test(name)) return this.beginBlock(name, index)
    if (name === 'a') return this.beginLink(tag)
    return /^(?:br|img)$/.test(name) || this.begin(name)
  }

  /** The HTML written; null where elements are open whose end a parser does not imply. */
  finish(): string | null {
    const { html } = this
    if (this.isInParagraph()) this.endParagraph(html.length, '</p>')
    // What follows a paragraph at whose end a link was open would be in that link.
    else if (this.pending !== '' && this.readTo < html.length) return null
    else if (this.top === 'a') this.endLink(html.length)
    return this.open.length > 0 ? null : this.written + html.slice(this.writtenTo)
  }

  private get top(): string {
    return this.open.at(-1) ?? ''
  }

  private isInParagraph(): boolean {
    return this.top === 'p' || (this.top === 'a' && this.open.at(-2) === 'p')
  }

  private write(added: string, at: number): void {
    this.written += this.html.slice(this.writtenTo, at) + added
    this.writtenTo = at
  }

  private beginParagraph(index: number): boolean {
    if (this.isInParagraph()) this.endParagraph(index, '</p>')
    if (!holder.test(this.top)) return false
    this.open.push('p')
    const rest = this.html.slice(this.readTo, this.readTo + 8)
    if (this.pending === '' || rest === '') return true
    const isBegun = content.test(rest)
    if (isBegun) {
      this.write(this.pending, this.readTo)
      this.open.push('a')
      this.link = this.pending
    }
    this.pending = ''
    return isBegun || /^<a[\s>]/i.test(rest)
  }

  private beginBlock(name: string, index: number): boolean {
    if (this.top === 'p') this.endParagraph(index, '</p>')
    return holder.test(this.top) && this.open.push(name) > 0
  }

  private beginLink({ text, index }: Tag): boolean {
    if (this.top === 'a') this.endLink(index)
    if (this.open.includes('a') || tablePart.test(this.top)) return false
    this.link = text
    return this.open.push('a') > 0
  }

  private begin(name: string): boolean {
    const { top } = this
    const isPlaced =
      name === 'li'
        ? /^[uo]l$/.test(top)
        : inline.test(name)
          ? !tablePart.test(top)
          : tableTag.test(name) && top !== 'p' && !inline.test(top)
    return isPlaced && this.open.push(name) > 0
  }

  private endLink(index: number): void {
    this.open.pop()
    this.write('</a>', index)
  }

  /** `tag`: the end tag to write; empty where the paragraph has one. */
  private endParagraph(index: number, tag: string): boolean {
    if (this.top === 'a') {
      this.endLink(index)
      this.pending = this.link
    }
    if (this.open.pop() !== 'p') return false
    this.write(tag, index)
    return true
  }

  private end(name: string, index: number): boolean {
    if (this.top === 'p') this.endParagraph(index, '</p>')
    return this.open.pop() === name
  }
}

/** As `cutMail`; where it has one piece, because paragraphs or links do not end, with their end tags written. */
export function cutMessage(html: string): MailPiece[] {
  const pieces = cutMail(html)
  if (!isWhole(pieces)) return pieces
  const closed = cutMail(withEndTags(html))
  return isWhole(closed) ? pieces : closed
}

const isWhole = ([first, second]: readonly MailPiece[]) => first?.isApart === true && second === undefined
