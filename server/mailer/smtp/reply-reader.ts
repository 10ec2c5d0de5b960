const replyMaxChars = 64 * 1024
const replyLine = /^\d{3}(?:[ -]|$)/

/** Parses a mail server's output into replies (RFC 5321 §4.2). */
export class ReplyReader {
  #rest = ''
  #lines: string[] = []
  #chars = 0

  /** Adds a chunk and returns the completed replies, their lines joined by line feeds. Throws if it is not SMTP. */
  read(chunk: Buffer): string[] {
    const lines = (this.#rest + chunk.toString('utf8')).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    const replies: string[] = []
    for (const line of lines) {
      if (!replyLine.test(line) || this.#isOtherCode(line)) throw new Error('Not an SMTP reply')
      this.#lines.push(line)
      this.#chars += line.length
      if (line.charAt(3) === '-') continue
      replies.push(this.#lines.join('\n'))
      this.#lines = []
      this.#chars = 0
    }
    if (this.#chars + this.#rest.length > replyMaxChars) throw new Error('The SMTP reply is too long')
    return replies
  }

  /** Whether the line has another code than the lines before it in the same reply. */
  #isOtherCode(line: string): boolean {
    const [first] = this.#lines
    return first !== undefined && first.slice(0, 3) !== line.slice(0, 3)
  }
}
