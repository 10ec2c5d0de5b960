import { describe, expect, it } from 'vitest'
import { hostileMails } from '../../tests/support/inbox/hostile-mails.ts'
import { noDeliveries, place } from '../../tests/support/inbox/read-mail-ports.ts'
import { classifyHeaders } from './classify.ts'
import { MailHeaders } from './mime/headers.ts'
import { parseMail, sourceMaxBytes } from './mime/parse-mail.ts'
import { readMail } from './read-mail.ts'

describe('a mail that tries to break the reader', () => {
  it.each(hostileMails())('$name: is read within its limits, and says nothing of anybody', async ({ source }) => {
    const used = async () => {
      const before = process.cpuUsage()
      const head = source.subarray(0, 32_768).toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
      const headers = new MailHeaders(head)
      const candidate = classifyHeaders(headers, { role: 'inbox', ownAddresses: new Set() })
      const as = candidate === 'none' || candidate === 'own' ? 'bounce' : candidate
      const { mails } = await readMail(as, headers, source.subarray(0, sourceMaxBytes), place, noDeliveries)
      expect(mails).toEqual([])
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    // The best of three: a first run compiles, and other processes may take turns.
    expect(Math.min(await used(), await used(), await used())).toBeLessThan(50)
    const { parts } = parseMail(source)
    expect(parts.length).toBeLessThanOrEqual(20)
    expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2 * sourceMaxBytes)
  })

  const nested = (levels: number) =>
    parseMail(
      Buffer.from(
        Array.from(
          { length: levels },
          (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
        ).join('') + 'Content-Type: text/plain\r\n\r\nInside',
      ),
    )

  it('levels of nesting beyond the fifth are left out, and it is noted', () => {
    expect(nested(5)).toMatchObject({ parts: [{ text: 'Inside' }], isCut: false })
    expect(nested(6)).toMatchObject({ parts: [], isCut: true })
  })
})
