import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import { layOutAccountMail, type AccountMailText } from './account-mail-layout.ts'
import type { NewMessage } from '../messages/message.ts'

/** The mailbox that account mails leave from. */
export interface SystemMailbox {
  workspaceId: string
  mailboxId: string
  address: string
}

/** Recipient of an account mail; `link` is a page of this server. */
export interface AccountMailTo {
  id: string
  from: SystemMailbox
  to: string
  firstName: string
  link: string
}

/** An account mail to an account; its link is a path of PUBLIC_URL, never of a request's URL. */
export type MailToAccount = (account: { email: string; firstName: string }, path: string) => AccountMailTo

const confirmation: AccountMailText = {
  subject: 'Confirm your email address',
  heading: 'Confirm your email address',
  lines: ['{{greeting}}', 'Open the link to confirm your address. It is valid for {{life}} hours.'],
  button: 'Confirm my address',
  closing: 'If you did not sign up, ignore this mail: without your confirmation nothing happens.',
}

const reset: AccountMailText = {
  subject: 'Reset your password',
  heading: 'Choose a new password',
  lines: [
    '{{greeting}}',
    'A password reset was requested for your account. The link works once and is valid for {{life}} minutes.',
  ],
  button: 'Choose a new password',
  closing: 'If you did not request it, ignore this mail: your password does not change.',
}

const passwordChanged: AccountMailText = {
  subject: 'Your password was changed',
  heading: 'Your password was changed',
  lines: [
    '{{greeting}}',
    'The password of your account was just changed, and every session was ended. Sign in again with the new password.',
  ],
  button: 'Sign in',
  closing: 'If this was not you, open the sign-in page, choose “Forgot your password?” and set a new password now.',
}

const accountClosed: AccountMailText = {
  subject: 'Your account is closed',
  heading: 'Your account is closed',
  lines: [
    '{{greeting}}',
    'You just closed your account. Every session has ended, secret keys and mailboxes are disconnected, and queued mail is cancelled.',
    'Your templates and records are kept for {{life}} days, in case you want them back: write to our support address within that time. Then they are permanently deleted.',
  ],
  button: 'Create another account',
  closing: 'If this was not you, write to our support address at once.',
}

const alreadyRegistered: AccountMailText = {
  subject: 'You already have an account',
  heading: 'You already have an account',
  lines: [
    '{{greeting}}',
    'Someone tried to sign up with this address. It already has an account, and nothing was changed.',
  ],
  button: 'Sign in',
  closing:
    'If you forgot your password, choose “Forgot your password?” there. If this was not you, no action is needed.',
}

const trackingDomainFailed: AccountMailText = {
  subject: 'The tracking domain {{host}} is not used any more',
  heading: 'A tracking domain fails',
  lines: [
    '{{greeting}}',
    'The last check of {{host}} failed: {{reason}}',
    'Until this is corrected, the links of new mails do without it. Links of mails that have left still lead there.',
  ],
  button: 'Open Tracking',
  closing: 'We check the domain again every hour, and use it again once it is correct.',
}

/** Asks for the click that confirms an address. The context holds the link's token and is sealed. */
export function confirmationMail(mail: AccountMailTo & { lifeHours: number }): NewMessage {
  return write(confirmation, mail, { life: mail.lifeHours })
}

/** Brings the link that sets a new password. The context holds its token and is sealed. */
export function resetMail(mail: AccountMailTo & { lifeMinutes: number }): NewMessage {
  return write(reset, mail, { life: mail.lifeMinutes })
}

/** Notifies the owner of an account that its password was changed. */
export function passwordChangedMail(mail: AccountMailTo): NewMessage {
  return write(passwordChanged, mail)
}

/** Mail about a closed account, with the retention of its data. */
export function accountClosedMail(mail: AccountMailTo & { keptDays: number }): NewMessage {
  return write(accountClosed, mail, { life: mail.keptDays })
}

/** Mail to the owner of an address about a sign-up attempt with it. */
export function alreadyRegisteredMail(mail: AccountMailTo): NewMessage {
  return write(alreadyRegistered, mail)
}

/** Notifies an owner of a workspace that a tracking domain fails, with what to correct. */
export function trackingDomainFailedMail(mail: AccountMailTo & { host: string; reason: string }): NewMessage {
  return write(trackingDomainFailed, mail, { host: mail.host, reason: mail.reason })
}

/** Names are chosen by strangers: one that could hold an address or a message is left out, so that sign-up relays no spam. */
function greet(firstName: string): string {
  return /^[\p{L}\p{M}' -]{1,40}$/u.test(firstName) ? `Hello ${firstName},` : 'Hello,'
}

function write(
  text: AccountMailText,
  { id, from, to, firstName, link }: AccountMailTo,
  more: MergeContext = {},
): NewMessage {
  return {
    id,
    mailboxId: from.mailboxId,
    fromAddress: from.address,
    subject: text.subject,
    content: layOutAccountMail(text),
    isHtml: true,
    context: { greeting: greet(firstName), link, ...more },
    sealContext: true,
    recipients: [to],
  }
}
