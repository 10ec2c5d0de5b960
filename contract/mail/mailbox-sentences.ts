/** What people read when a mailbox cannot be used: what is the matter, then what to do. Sources: providers' help pages. */
export const mailboxSentences = {
  gmailPassword:
    'Gmail refused this app password. Turn on 2-Step Verification for the Google account, create an app password at https://myaccount.google.com/apppasswords and paste it here: the normal password does not work.',
  gmailBrowser:
    'Google blocked this sign-in. Sign in to the account in a browser, confirm that it was you, then connect it again with an app password from https://myaccount.google.com/apppasswords.',
  outlookPersonal:
    'Microsoft ended app passwords for personal Outlook, Hotmail, Live and MSN accounts on 16 September 2024 and accepts only its own sign-in (OAuth) there, which needs no app password: connect the mailbox by signing in with Microsoft where this server offers it, or use one of another provider.',
  outlookWork:
    'This Microsoft 365 organisation does not let mailboxes sign in to SMTP with a password. Ask its administrator to allow “Authenticated SMTP” for this mailbox; where Microsoft no longer accepts passwords, only its own sign-in (OAuth) works: connect the mailbox by signing in with Microsoft where this server offers it.',
  outlookPassword:
    'Microsoft refused this address and app password. Create an app password under Security info at https://mysignins.microsoft.com/security-info, and have an administrator allow “Authenticated SMTP” for the mailbox.',
  yahooPassword:
    'Yahoo refused this app password. Create one at https://login.yahoo.com/account/security under “Generate app password” and paste it here: the normal password does not work.',
  otherPassword:
    'The mail server refused this address and password. Check both; many providers require an app password, created in the account’s security settings.',
  oauthRefused:
    'The mail server refused the sign-in for this address. Sign in at the provider with exactly this mailbox, and have an administrator allow “Authenticated SMTP” if it belongs to an organisation.',
  oauthEnded:
    'The provider revoked the permission to send from this mailbox: it was withdrawn, expired, or the password changed. Connect the mailbox again at its provider.',
  oauthNotOffered:
    'This server is no longer set up to sign in with the mailbox’s provider. Its operator has to set it up again, or connect the mailbox with an app password.',
  tooManyLogins: 'Too many sign-ins for this mailbox. Wait an hour, then connect it again.',
  tryLater: 'The mail server cannot process this sign-in right now. Try again in a few minutes.',
  noLogin:
    'This mail server offers no sign-in on this port. Check “Port” and “Security”: 465 with TLS, or 587 with STARTTLS.',
  turnedAway:
    'The mail server refused the connection before the sign-in. Try again later; if that does not help, contact its operator.',
  // A private address and an unknown name read the same: else the names of this network could be tried out.
  unknownHost:
    'No public mail server has this name. Check the spelling in “Mail server” and enter the name that the provider publishes.',
  dnsFailure: 'The name of the mail server could not be resolved. Try again in a few minutes.',
  forbiddenPort:
    'Mail servers accept mail for sending on port 465 (TLS) or 587 (STARTTLS) only. Set “Port” to one of them.',
  forbiddenClear:
    'App passwords are never sent without encryption. Set “Security” to TLS (port 465) or STARTTLS (port 587).',
  missingHost: 'Fill in “Mail server” for a mailbox of another provider.',
  refusedConnection:
    'The mail server does not accept connections on this port. Check “Mail server” and “Port”: 465 with TLS, or 587 with STARTTLS.',
  timeout:
    'The mail server did not answer in time. Check “Mail server” and “Port”; some networks block outgoing mail ports.',
  noStarttls:
    'The mail server does not offer encryption (STARTTLS) on this port, so the app password was not sent. Try port 465 with TLS.',
  wrongSecurity:
    'The mail server does not use TLS on this port in this way. Set “Security” to TLS with port 465, to STARTTLS with port 587.',
  untrusted:
    'The mail server’s certificate is not signed by a trusted authority, so the app password was not sent. Its operator must install a valid certificate.',
  expired: 'The mail server’s certificate has expired, so the app password was not sent. Its operator must renew it.',
  wrongName:
    'The mail server’s certificate is for another name, so the app password was not sent. Set “Mail server” to the name that the provider publishes for sending.',
  tls: 'No secure connection to the mail server was established, so the app password was not sent. Check “Port” and “Security”.',
  broken:
    'The connection to the mail server was lost. Try again; if it happens each time, check “Mail server” and “Port”.',
  providerAway:
    'The provider’s mail server cannot be reached. Try again in a few minutes; some networks block outgoing mail ports.',
  providerInsecure:
    'No secure connection to the mail server was established, so the app password was not sent. Try again in a few minutes.',
  sealed: 'Its stored secrets cannot be decrypted with the server’s key. Connect it again with its app password.',
  senderRefused:
    'Several mail servers refused mails within an hour because of this mailbox, not because of the recipients. Read their replies in the campaign’s report, check SPF, DKIM and DMARC of its domain, then resume it.',
  dailyLimit: 'The mailbox has reached its provider’s sending limit. Sending resumes automatically later.',
} as const

export type MailboxSentence = keyof typeof mailboxSentences
