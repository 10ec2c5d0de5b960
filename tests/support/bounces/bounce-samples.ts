import type { BounceAction, BounceReason } from '../../../contract/inbox/bounce-reason.ts'

/** A bounce as one mail system writes it. */
export interface BounceSample {
  system: string
  recipient: string
  reason: BounceReason
  action: BounceAction | 'delayed'
  source: string
}

/** A report of RFC 3464 with these fields, and `text` as its readable part. */
export function dsn(
  fields: string,
  { text = 'Your mail could not be delivered.', from = 'MAILER-DAEMON@mx.example.net', returned = '' } = {},
): string {
  return `Return-Path: <>
From: Mail Delivery System <${from}>
To: studio@example.com
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=utf-8

${text}

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

${fields}

--b1
Content-Type: message/rfc822

${returned}
--b1--
`.replaceAll('\n', '\r\n')
}

/** A bounce without report fields. */
function plain(from: string, subject: string, body: string, more = ''): string {
  return `Return-Path: <>
From: ${from}
To: studio@example.com
Subject: ${subject}
${more}Content-Type: text/plain; charset=utf-8

${body}
`.replaceAll('\n', '\r\n')
}

const fields = (recipient: string, status: string, diagnostic: string, action = 'failed') =>
  `Final-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\nRemote-MTA: dns; mx.example.org\nDiagnostic-Code: smtp; ${diagnostic}`

const ann = 'ann@example.org'

export const bounceSamples: readonly BounceSample[] = [
  {
    system: 'Postfix',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: dsn(
      fields(
        ann,
        '5.1.1',
        '550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in virtual mailbox table',
      ),
    ),
  },
  {
    system: 'Postfix, host not found',
    recipient: ann,
    reason: 'host_unknown',
    action: 'dead',
    source: dsn(
      fields(
        ann,
        '5.4.4',
        'X-Postfix; Host or domain name not found. Name service error for name=example.org type=AAAA: Host not found',
      ),
    ),
  },
  {
    system: 'Postfix, delayed',
    recipient: ann,
    reason: 'network_error',
    action: 'delayed',
    source: dsn(
      fields(ann, '4.4.1', 'X-Postfix; connect to mx.example.org[192.0.2.1]:25: Connection timed out', 'delayed'),
    ),
  },
  {
    system: 'Postfix, text only',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Mail Delivery System <MAILER-DAEMON@mx.example.net>',
      'Undelivered Mail Returned to Sender',
      `This is the mail system at host mx.example.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<ann@example.org>: host mx.example.org[192.0.2.1] said: 550 5.1.1
    <ann@example.org>... User unknown (in reply to RCPT TO command)`,
    ),
  },
  {
    system: 'Exim',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Mail Delivery System <Mailer-Daemon@mx.example.net>',
      'Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    host mx.example.org [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ann@example.org>:
    550 No such user here

------ This is a copy of the message, including all the headers. ------

From: studio@example.com
To: bob@example.net`,
    ),
  },
  {
    system: 'Exim, X-Failed-Recipients',
    recipient: ann,
    reason: 'host_unknown',
    action: 'dead',
    source: plain(
      'Mail Delivery System <Mailer-Daemon@mx.example.net>',
      'Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.

  ann@example.org
    Unrouteable address`,
      'X-Failed-Recipients: ann@example.org\n',
    ),
  },
  {
    system: 'qmail',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'MAILER-DAEMON@mx.example.net',
      'failure notice',
      `Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
192.0.2.1 does not like recipient.
Remote host said: 550 sorry, no mailbox here by that name (#5.7.17)
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

From: studio@example.com`,
    ),
  },
  {
    system: 'Sendmail',
    recipient: ann,
    reason: 'mailbox_full',
    action: 'waiting',
    source: plain(
      'Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>',
      'Returned mail: see transcript for details',
      `The original message was received at Mon, 24 Aug 2026 10:00:00 GMT
from localhost [127.0.0.1]

   ----- The following addresses had permanent fatal errors -----
<ann@example.org>
    (reason: 552 5.2.2 Over quota)

   ----- Transcript of session follows -----
... while talking to mx.example.org.:
>>> DATA
<<< 552 5.2.2 Over quota`,
    ),
  },
  {
    system: 'Gmail',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: dsn(
      fields(
        ann,
        '5.1.1',
        "550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos. gsmtp",
      ),
      {
        from: 'mailer-daemon@googlemail.com',
        text: "** Address not found **\n\nYour message wasn't delivered to ann@example.org because the address couldn't be found.",
      },
    ),
  },
  {
    system: 'Gmail, full',
    recipient: ann,
    reason: 'mailbox_full',
    action: 'waiting',
    source: dsn(
      fields(
        ann,
        '5.2.2',
        "552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm",
      ),
    ),
  },
  {
    system: 'Gmail, unauthenticated',
    recipient: ann,
    reason: 'auth_failed',
    action: 'sender',
    source: dsn(
      fields(
        ann,
        '5.7.26',
        '550-5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.',
      ),
    ),
  },
  {
    system: 'Microsoft 365',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: dsn(
      fields(
        ann,
        '5.1.10',
        '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.org not found by SMTP address lookup',
      ),
      { from: 'MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org' },
    ),
  },
  {
    system: 'Microsoft 365, blocked',
    recipient: ann,
    reason: 'blocked',
    action: 'sender',
    source: dsn(
      fields(
        ann,
        '5.7.606',
        '550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal from this list please visit https://sender.office.com/',
      ),
    ),
  },
  {
    system: 'Outlook.com',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: dsn(fields(ann, '5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).')),
  },
  {
    system: 'Outlook.com, reputation',
    recipient: ann,
    reason: 'blocked',
    action: 'sender',
    source: dsn(
      fields(
        ann,
        '5.7.1',
        "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
      ),
    ),
  },
  {
    system: 'Exchange',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'System Administrator <postmaster@example.org>',
      'Undeliverable: Hello',
      `Your message did not reach some or all of the intended recipients.

      Subject:  Hello
      Sent:     24.08.2026 10:00

The following recipient(s) cannot be reached:

      'ann@example.org' on 24.08.2026 10:00
            The e-mail account does not exist at the organization this message was sent to.
            <mx.example.org #5.1.1>`,
    ),
  },
  {
    system: 'Yahoo',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'MAILER-DAEMON@yahoo.com',
      'Failure Notice',
      `Sorry, we were unable to deliver your message to the following address.

<ann@example.org>:
554: delivery error: dd This user doesn't have a yahoo.com account (ann@example.org) [-5] - mta1.example.com

--- Below this line is a copy of the message.`,
    ),
  },
  {
    system: 'Yahoo, reputation',
    recipient: ann,
    reason: 'blocked',
    action: 'sender',
    source: dsn(
      fields(
        ann,
        '5.7.9',
        '554 5.7.9 Message not accepted for policy reasons. [TSS04] Messages from 192.0.2.1 have been temporarily deferred due to user complaints',
      ),
    ),
  },
  {
    system: 'Domino',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Postmaster@example.org',
      'DELIVERY FAILURE: User ann (ann@example.org) not listed in Domino Directory',
      `Your message

  Subject: Hello

was not delivered to:

  ann@example.org

because:

  User ann (ann@example.org) not listed in Domino Directory`,
    ),
  },
  {
    system: 'Zimbra',
    recipient: ann,
    reason: 'mailbox_disabled',
    action: 'dead',
    source: dsn(fields(ann, '5.2.1', '550 5.2.1 zimbra: account is disabled')),
  },
  {
    system: 'Courier',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'MAILER-DAEMON@mx.example.net',
      'NOTICE: mail delivery status.',
      `This is a delivery status notification from mx.example.net,
running the Courier mail server, version 1.0.

The original message was received on Mon, 24 Aug 2026 10:00:00 +0000

---------------------------------------------------------------------------
                           UNDELIVERABLE MAIL

Your message to the following recipients cannot be delivered:

<ann@example.org>:
    mx.example.org [192.0.2.1]:
>>> RCPT TO:<ann@example.org>
<<< 550 User unknown.`,
    ),
  },
  {
    system: 'OpenSMTPD',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Mailer Daemon <MAILER-DAEMON@mx.example.net>',
      'Delivery status notification: error',
      `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this email.

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

ann@example.org: 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown

    Below is a copy of the original message:`,
    ),
  },
  {
    system: 'MDaemon',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'MDaemon <MDaemon@example.net>',
      'Permanent Delivery Failure',
      `The attached message had PERMANENT fatal delivery errors!

Failed address: ann@example.org

--- Session Transcript ---
 RCPT To:<ann@example.org>
 550 <ann@example.org> No such user here
--- End Transcript ---`,
    ),
  },
  {
    system: 'GMX',
    recipient: ann,
    reason: 'mailbox_full',
    action: 'waiting',
    source: plain(
      'GMX Mailer Daemon <mailer-daemon@gmx.de>',
      'Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

"ann@example.org":
SMTP error from remote server after transfer of mail text:
552-Requested mail action aborted: exceeded storage allocation
552-Quota exceeded. The recipient's mailbox is full.`,
    ),
  },
  {
    system: 'T-Online',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'postmaster@t-online.de',
      'Unzustellbar: Hallo',
      `Ihre Nachricht an <ann@example.org> konnte nicht zugestellt werden.

Die Empfängeradresse ist unbekannt.`,
    ),
  },
  {
    system: 'Mail.ru',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Mail Delivery System <mailer-daemon@corp.mail.ru>',
      'Mail failure.',
      `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    SMTP error from remote mail server after RCPT TO:<ann@example.org>:
    550 Message was not accepted -- invalid mailbox.  Local mailbox ann@example.org is unavailable: user not found`,
    ),
  },
  {
    system: 'Yandex',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: dsn(fields(ann, '5.7.1', '550 5.7.1 No such user!')),
  },
  {
    system: 'Amazon SES',
    recipient: ann,
    reason: 'host_unknown',
    action: 'dead',
    source: plain(
      'MAILER-DAEMON@eu-west-1.amazonses.com',
      'Delivery Status Notification (Failure)',
      `An error occurred while trying to deliver the mail to the following recipients:
ann@example.org
550 5.4.4 Unknown host: domain does not exist`,
    ),
  },
  {
    system: 'Kerio Connect',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: dsn(fields(ann, '5.1.1', '550 5.1.1 Mailbox does not exist'), {
      text: 'Kerio Connect could not deliver your message.',
    }),
  },
  {
    system: 'hMailServer',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'mailer-daemon@mx.example.net',
      'Message undeliverable: Hello',
      `Your message did not reach some or all of the intended recipients.

   Sent: Mon, 24 Aug 2026 10:00:00 +0000
   Subject: Hello

The following recipient(s) could not be reached:

ann@example.org
   Error Type: SMTP
   Remote server (192.0.2.1) issued an error.
   hMailServer sent: RCPT TO:<ann@example.org>
   Remote server replied: 550 Unknown user`,
    ),
  },
  {
    system: 'MailEnable',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Postmaster <postmaster@mx.example.net>',
      'Message Delivery Failure',
      `MailEnable: Message could not be delivered to some recipients.

The following recipient(s) could not be reached:

	Recipient: [SMTP:ann@example.org]
	Reason: Remote SMTP Server Returned: 550 unknown user account

Message headers follow:

From: studio@example.com`,
    ),
  },
  {
    system: 'GroupWise',
    recipient: ann,
    reason: 'message_too_large',
    action: 'mail',
    source: plain(
      'postmaster@example.org',
      'Message status - undeliverable',
      `The message that you sent was undeliverable to the following:
	ann@example.org (552 5.3.4 Message size exceeds fixed limit)`,
    ),
  },
  {
    system: 'Barracuda',
    recipient: ann,
    reason: 'blocked',
    action: 'sender',
    source: dsn(
      fields(ann, '5.7.1', '550 permanent failure for one or more recipients (ann@example.org:blocked) Barracuda'),
    ),
  },
  {
    system: 'Proofpoint',
    recipient: ann,
    reason: 'blocked',
    action: 'sender',
    source: dsn(fields(ann, '5.7.1', '554 5.7.1 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1')),
  },
  {
    system: 'Mimecast',
    recipient: ann,
    reason: 'policy_refused',
    action: 'sender',
    source: dsn(
      fields(
        ann,
        '5.0.0',
        '550 Administrative prohibition - envelope blocked'.replace('envelope blocked', 'see Mimecast'),
      ),
    ),
  },
  {
    system: 'iCloud',
    recipient: ann,
    reason: 'mailbox_full',
    action: 'waiting',
    source: dsn(fields(ann, '5.2.2', '552 5.2.2 <ann@example.org>: user is over quota')),
  },
  {
    system: 'Spamhaus',
    recipient: ann,
    reason: 'blocked',
    action: 'sender',
    source: dsn(
      fields(ann, '5.7.1', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'),
    ),
  },
  {
    system: 'SpamAssassin',
    recipient: ann,
    reason: 'spam_detected',
    action: 'sender',
    source: dsn(fields(ann, '5.7.1', '550 5.7.1 This message looks like SPAM and was rejected')),
  },
  {
    system: 'greylisting',
    recipient: ann,
    reason: 'greylisted',
    action: 'delayed',
    source: dsn(
      fields(
        ann,
        '4.2.0',
        '450 4.2.0 <ann@example.org>: Recipient address rejected: Greylisted, see http://postgrey.example.net/',
      ),
    ),
  },
  {
    system: 'a status that contradicts the words',
    recipient: ann,
    reason: 'temporarily_unavailable',
    action: 'delayed',
    source: dsn(fields(ann, '4.1.1', '451 4.1.1 User unknown, try again later')),
  },
  {
    system: 'au',
    recipient: ann,
    reason: 'user_unknown',
    action: 'dead',
    source: plain(
      'Postmaster@ezweb.ne.jp',
      'Mail System Error - Returned Mail',
      `The user(s) account is disabled or unknown.

<ann@example.org>: 550 <ann@example.org>: User unknown`,
    ),
  },
  {
    system: 'SPF at a receiver',
    recipient: ann,
    reason: 'auth_failed',
    action: 'sender',
    source: dsn(
      fields(
        ann,
        '5.7.23',
        '550 5.7.23 <ann@example.org>: Recipient address rejected: Message rejected due to: SPF fail - not authorized',
      ),
    ),
  },
  {
    system: 'null MX',
    recipient: ann,
    reason: 'domain_not_accepting',
    action: 'dead',
    source: dsn(fields(ann, '5.1.10', '556 5.1.10 Recipient address has null MX')),
  },
  {
    system: 'loop',
    recipient: ann,
    reason: 'loop_detected',
    action: 'mail',
    source: dsn(fields(ann, '5.4.6', '554 5.4.6 Too many hops')),
  },
  {
    system: 'expired',
    recipient: ann,
    reason: 'expired',
    action: 'waiting',
    source: dsn(fields(ann, '5.4.7', '550 5.4.7 Delivery expired (message too old)')),
  },
]
