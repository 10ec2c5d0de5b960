/** The words of a notice of delay, in its text. */
export const delayWords =
  /(?:will (?:keep|continue)|is still|still being|has not yet|hasn't yet|not yet been|delayed|warning|temporary (?:problem|failure)|will be retried|wird weiter|verzögert|retardé|retrasad|ritardo)/i

/** The words of a notice of delay, in its subject. */
export const delaySubject =
  /\(delay\)|\bdelayed\b|delivery delay|delay notification|still being retried|verzögert|retardé|retrasad|in ritardo/i

/** The words of a failure for good. */
export const finalWords =
  /(?:permanent|(?<!will )giv(?:e|ing) up|gave up|no such user|user unknown|unknown user|failed permanently|could not be delivered\b(?! for)|undeliverable|unzustellbar)/i

/** The header of a report inside another mail. */
export const reportType = /^content-type:\s*multipart\/report;\s*report-type="?delivery-status/im

/** An answer to the sender's address, before the server knew the recipient. */
export const afterSender = /(?:after|in reply to|>>>) (?:pipelined )?mail from/i

/** Where the returned mail begins, in systems that have no marker of their own. */
export const copyMarker =
  /^(?:return-path|received): |^[ \t]{0,4}-{0,20} ?(?:original message follows|the header of the original message|(?:start of )?returned (?:message|mail)|unsent message follows|below this line is a copy|this is a copy of (?:the|your) message|included is a copy of the message)/im

/** The line above a filter's footer. */
export const footerLine = /^[_*-]{20,}$/m

/**
 * Names without a domain, below a line that announces recipients; group 1 holds their lines. The reason may stand in brackets
 * behind each.
 */
export const bareList =
  /(?:following (?:recipients?|address(?:es)?|users?)\b[^\n]{0,200}|(?:undeliverable|undelivered|(?:not|n't) (?:be )?delivered) to the following):\n\n?((?:[ \t]{1,8}[a-z0-9][a-z0-9._-]{1,63}(?: \([^()\n]{1,200}\))?[ \t]*(?:\n|$)){1,100})/i

/** One line of such a list, which has limited it: the name and its reason. */
export const bareName = /^\s*([a-z0-9._-]+)(?: \(([^()\n]+)\))?\s*$/i

/** An address anywhere; group 1. Global. */
export const anywhere = /([^\s<>()[\],;:"']{1,64}@[^\s<>()[\],;:"']{1,253})/g

/** Addresses of machines, which are no failed recipients. */
export const machines =
  /^(?:mailer-daemon|postmaster|mail-daemon|noreply|no-reply|bounces?|abuse|support|[^@]*-request)@/

/** A reply code or a status in a line. */
export const replyCode = /(?:^|[\s<(:#'"])[45](?:\d\d[\s-]|\.\d{1,3}\.\d{1,3}\b)/

/** The first line of an answer of several lines; group 1 is its code. */
export const continuedAnswer = /^([45]\d\d)-/

/** What a transcript writes before a line of the other server. */
export const transcriptMark = /^\s{0,20}(?:<<<|recv:|s:)?/i
