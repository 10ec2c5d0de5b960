/** How a mail system without an RFC 3464 report, or beside it, writes a bounce. */
export interface BounceSystem {
  name: string
  /** Matched against sender, subject and the first 4,000 characters of the text, in lower case. */
  isFrom: RegExp
  /** Finds the failed addresses in the text; group 1 is the address. Global. */
  recipients: RegExp
  /** Where the returned mail begins; the words are before it. */
  copyMarker?: RegExp
}

const address = String.raw`([^\s<>()\[\],;:"']{1,64}@[^\s<>()\[\],;:"']{1,253})`
const recipient = (before: string, after = '') => new RegExp(`${before}${address}${after}`, 'gim')
const ownLine = recipient(String.raw`^[ \t]{0,8}[<"']?`, String.raw`[>"']?[ \t]{0,8}:?[ \t]{0,8}$`)
const anyAddress = recipient(String.raw`[<"'(\s]`)

/** Tried in order; the last two take every other system. */
export const bounceSystems: readonly BounceSystem[] = [
  {
    name: 'qmail',
    isFrom:
      /this is the qmail-send program|i'm afraid i wasn't able to deliver your message to the following addresses/,
    recipients: recipient('^<', '>:'),
    copyMarker: /^--- below this line is a copy of the message/im,
  },
  {
    name: 'Exim',
    isFrom: /this message was created automatically by mail delivery software/,
    recipients: recipient('^ {2}'),
    copyMarker: /^-{3,} this is a copy of (?:the|your) (?:message|mail)/im,
  },
  {
    name: 'Gmail',
    isFrom:
      /mail delivery subsystem <mailer-daemon@google|delivery to the following recipients? failed|your message wasn't delivered to|address not found|message blocked/,
    recipients: recipient(String.raw`(?:^[ \t]{2,8}|delivered to |delivering your message to )\**<?`),
    copyMarker: /^-{3,} original message -{3,}/im,
  },
  {
    name: 'Microsoft 365',
    isFrom: /microsoft(?: outlook|exchange)|your message to .{0,200}couldn't be delivered|protection\.outlook\.com/,
    recipients: recipient(String.raw`(?:your message to |^|<)`),
    copyMarker: /^original message (?:details|headers)/im,
  },
  {
    name: 'Exchange',
    isFrom: /did not reach (?:some or all of )?the (?:following|intended) recipient|generating server:/,
    recipients: recipient(String.raw`(?:^[ \t]{0,8}'?|rfc822;|smtp=)`),
    copyMarker: /^original message headers:/im,
  },
  {
    name: 'Sendmail',
    isFrom: /the original message was received at/,
    recipients: recipient(String.raw`^[ \t]{0,8}<`, '>'),
    copyMarker: /^ *-{3,} (?:original message|message header) follows/im,
  },
  {
    name: 'Postfix',
    isFrom: /this is the mail system at host|postfix program/,
    recipients: recipient('^<', '>'),
  },
  {
    name: 'Yahoo',
    isFrom: /sorry, we were unable to deliver your message to the following address/,
    recipients: recipient('^<', '>:'),
    copyMarker: /^-{3,} (?:below this line|original message)/im,
  },
  {
    name: 'Domino',
    isFrom: /lotus domino|domino release|your message.{0,40}\s+subject:[\s\S]{0,300}was not delivered to/,
    recipients: recipient(String.raw`(?:was not delivered to:?\s{1,20}|^[ \t]{1,8})`),
  },
  { name: 'Zimbra', isFrom: /zimbra/, recipients: recipient('^<?', '>?:') },
  {
    name: 'Courier',
    isFrom:
      /your message to the following recipients? was not delivered|courier mail server|this is a delivery status notification from .{0,80}running the courier/,
    recipients: recipient('^<', '>:'),
  },
  {
    name: 'OpenSMTPD',
    isFrom:
      /mailer-daemon at .{0,100}opensmtpd|below is a copy of the original message:|this is the mailer-daemon, please do not reply/,
    recipients: recipient(String.raw`^[ \t]{0,8}`, ': '),
    copyMarker: /^ {4}below is a copy of the original message/im,
  },
  {
    name: 'MDaemon',
    isFrom: /mdaemon|the following data may contain the text of the message you attempted to send|session transcript/,
    recipients: recipient(String.raw`(?:failed address|undeliverable to|recipient\(?s?\)?|rcpt to):?\s{0,10}<?`),
  },
  {
    name: 'GMX and 1&1',
    isFrom:
      /this message was created automatically by the mail system \(ecelerity\)|gmx|1&1|ionos|kundenserver\.de|diese nachricht wurde automatisch (?:vom|von)/,
    recipients: recipient(String.raw`^[ \t]{0,8}[<"]?`, String.raw`[">]?:?`),
    copyMarker: /^-{3,} (?:the header of the original message|eine kopie)/im,
  },
  {
    name: 'T-Online',
    isFrom: /t-online\.de|konnte nicht zugestellt werden|unzustellbar/,
    recipients: anyAddress,
    copyMarker: /^-{3,} ?(?:ursprüngliche|original)/im,
  },
  {
    name: 'Mail.ru',
    isFrom: /mail\.ru/,
    recipients: recipient(String.raw`^[ \t]{0,8}`),
  },
  { name: 'Yandex', isFrom: /yandex/, recipients: recipient(String.raw`^[ \t]{0,8}<?`, '>?:') },
  {
    name: 'Amazon SES',
    isFrom: /amazonses|an error occurred while trying to deliver the mail to the following recipients/,
    recipients: ownLine,
  },
  {
    name: 'Kerio Connect',
    isFrom: /kerio (?:connect|mailserver)|your message has not been delivered to/,
    recipients: recipient(String.raw`(?:^|recipient: |<)`),
  },
  {
    name: 'hMailServer',
    isFrom: /hmailserver|your message did not reach some or all of the intended recipients[\s\S]{0,400}sent:/,
    recipients: ownLine,
  },
  {
    name: 'MailEnable',
    isFrom: /mailenable|message could not be delivered to some recipients/,
    recipients: recipient(String.raw`(?:recipient:? {0,4}|smtp:)\[?`),
    copyMarker: /^message headers follow/im,
  },
  {
    name: 'GroupWise',
    isFrom: /groupwise|the message that you sent was undeliverable to the following/,
    recipients: anyAddress,
  },
  { name: 'Barracuda', isFrom: /barracuda/, recipients: anyAddress },
  { name: 'Proofpoint', isFrom: /proofpoint|pphosted\.com/, recipients: recipient('(?:<|^)') },
  { name: 'Mimecast', isFrom: /mimecast/, recipients: anyAddress },
  { name: 'iCloud', isFrom: /\bicloud\.com|me\.com/, recipients: anyAddress },
  { name: 'NTT and au', isFrom: /ezweb\.ne\.jp|docomo\.ne\.jp|softbank\.ne\.jp/, recipients: recipient('(?:^|<)') },
  { name: 'a line of its own', isFrom: /(?:)/, recipients: ownLine },
  { name: 'other', isFrom: /(?:)/, recipients: anyAddress },
]

/** Systems at the end of the list that take every mail. */
export const generalSystemsCount = 2
