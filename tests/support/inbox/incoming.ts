import { dsn } from '../bounces/bounce-samples.ts'

/** A mail that left, as far as answers to it need it. */
export interface LeftMail {
  recipient: string
  subject: string
  /** With angle brackets. */
  messageId: string
}

let number = 0
const newId = () => `<${Date.now()}.${++number}@mx.example.net>`
const crlf = (text: string) => Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'))

/** A reply of the recipient. */
export const reply = ({ recipient, subject, messageId }: LeftMail, text = 'Thank you.', id = newId()): Buffer =>
  crlf(`From: ${recipient}
To: studio@example.com
Subject: Re: ${subject}
Date: ${new Date().toUTCString()}
Message-ID: ${id}
In-Reply-To: ${messageId}
References: ${messageId}
Content-Type: text/plain; charset=utf-8

${text}
`)

/** A mail that answers none. */
export const letter = (from: string, subject: string, text: string, headers = ''): Buffer =>
  crlf(`From: ${from}
To: studio@example.com
Subject: ${subject}
Message-ID: ${newId()}
${headers}Content-Type: text/plain; charset=utf-8

${text}
`)

export interface Report {
  status?: string
  action?: string
  words?: string
  /** Default: the recipient's. */
  recipient?: string
  originalRecipient?: string
  /** Whether the mail is returned; its Message-ID is the proof. */
  isReturned?: boolean
  id?: string
  text?: string
}

/** A report of RFC 3464 on a mail. */
export function report(mail: LeftMail, given: Report = {}): Buffer {
  const { status = '5.1.1', action = 'failed', words = '550 5.1.1 No such user here', id = newId(), text } = given
  const fields = [
    ...(given.originalRecipient === undefined ? [] : [`Original-Recipient: rfc822; ${given.originalRecipient}`]),
    `Final-Recipient: rfc822; ${given.recipient ?? mail.recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${words}`,
  ]
  return reportOf(fields.join('\n'), given.isReturned === false ? null : mail, id, text)
}

/** A report with these fields of recipients; blocks are separated by an empty line. */
export function reportOf(fields: string, returned: LeftMail | null, id = newId(), text?: string): Buffer {
  const source = dsn(fields, {
    ...(text !== undefined && { text }),
    returned:
      returned === null
        ? ''
        : `From: studio@example.com\nTo: ${returned.recipient}\nSubject: ${returned.subject}\nMessage-ID: ${returned.messageId}\n`,
  })
  return crlf(source.replace('Subject:', `Message-ID: ${id}\r\nSubject:`))
}
