import type { MergeContext } from '../../contract/merge-variables.ts'
import type { NewMessage } from './message.ts'

/** The mailbox that account mails leave from. */
export interface SystemMailbox {
  workspaceId: string
  configId: string
  address: string
}

interface AccountMail {
  subject: string
  heading: string
  lines: readonly string[]
  button: string
  closing: string
}

const confirmation: AccountMail = {
  subject: 'Confirm your email address',
  heading: 'Confirm your email address',
  lines: ['{{greeting}}', 'one click and your account is ready. The link works for {{life_hours}} hours.'],
  button: 'Confirm my address',
  closing: 'If you did not sign up, ignore this mail: nothing happens without the click.',
}

const alreadyRegistered: AccountMail = {
  subject: 'You already have an account',
  heading: 'You already have an account',
  lines: [
    '{{greeting}}',
    'somebody, most likely you, tried to sign up with this address. It has an account, and nothing was changed.',
  ],
  button: 'Sign in',
  closing: 'If it was not you, you need not do anything.',
}

/** Asks for the click that confirms an address. The context holds the link's token and is sealed. */
export function confirmationMail(mail: {
  id: string
  from: SystemMailbox
  to: string
  firstName: string
  link: string
  lifeHours: number
}): NewMessage {
  const context = { greeting: greet(mail.firstName), link: mail.link, life_hours: mail.lifeHours }
  return write(confirmation, mail, context)
}

/** Tells the owner of an address that somebody tried to sign up with it. */
export function alreadyRegisteredMail(mail: {
  id: string
  from: SystemMailbox
  to: string
  firstName: string
  link: string
}): NewMessage {
  return write(alreadyRegistered, mail, { greeting: greet(mail.firstName), link: mail.link })
}

/** Names are chosen by strangers: one that could hold an address or a message is left out, so that sign-up relays no spam. */
function greet(firstName: string): string {
  return /^[\p{L}\p{M}' -]{1,40}$/u.test(firstName) ? `Hello ${firstName},` : 'Hello,'
}

function write(
  mail: AccountMail,
  { id, from, to }: { id: string; from: SystemMailbox; to: string },
  context: MergeContext,
): NewMessage {
  return {
    id,
    workspaceId: from.workspaceId,
    configId: from.configId,
    fromAddress: from.address,
    subject: mail.subject,
    content: layOut(mail),
    isHtml: true,
    context,
    sealContext: true,
    recipients: [to],
  }
}

/** One table, inline styles and system fonts: what mail programs agree on. Colours hold in light and in dark. */
function layOut({ heading, lines, button, closing, subject }: AccountMail): string {
  const font = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${line}</p>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:0;background:#f3f1ec">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f1ec"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e1da;border-radius:12px"><tr><td style="padding:32px;${font};font-size:16px;line-height:24px;color:#1c1b19">
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600">${heading}</h1>
${paragraphs}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td bgcolor="#0f6b4f" style="border-radius:8px"><a href="{{link}}" style="display:inline-block;padding:12px 20px;${font};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${button}</a></td></tr></table>
<p style="margin:0;font-size:14px;line-height:20px;color:#57534b">${closing}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>`
}
