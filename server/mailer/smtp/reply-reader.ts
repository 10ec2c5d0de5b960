const replyMaxChars = 64 * 1024
const replyLine = /^\d{3}(?:[ -]|$)/

/** Cuts what a mail server sends into replies (RFC 5321 §4.2). */
export class ReplyReader {
  #rest = ''
  #lines: string[] = []
  #chars = 0

  /** The replies that are whole with this piece, their lines joined by line feeds. Throws where it is no SMTP. */
  read(piece: Buffer): string[] {
    const lines = (this.#rest + piece.toString('utf8')).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    const replies: string[] = []
    for (const line of lines) {
      if (!replyLine.test(line) || this.#isOtherCode(line)) throw new Error('This is no SMTP reply')
      this.#lines.push(line)
      this.#chars += line.length
      if (line.charAt(3) === '-') continue
      replies.push(this.#lines.join('\n'))
      this.#lines = []
      this.#chars = 0
    }
    if (this.#chars + this.#rest.length > replyMaxChars) throw new Error('This reply does not end')
    return replies
  }

  /** All lines of a reply have the same code. */
  #isOtherCode(line: string): boolean {
    const [first] = this.#lines
    return first !== undefined && first.slice(0, 3) !== line.slice(0, 3)
  }
}
