import type { ReactNode } from 'react'
import type { Provider } from '../../contract/core/limits.ts'

/** How to come by an app password, per provider, as things stand (docs: each provider's own help pages). */
const guidance: Readonly<Record<Provider, ReactNode>> = {
  gmail: (
    <>
      Turn on <Out href="https://myaccount.google.com/signinoptions/two-step-verification">2-Step Verification</Out> for
      the Google account, then make an app password at{' '}
      <Out href="https://myaccount.google.com/apppasswords">myaccount.google.com/apppasswords</Out>. Google shows it in
      four groups of letters; paste it as it stands. The account’s own password does not work. Gmail sends up to 500
      mails a day, Workspace up to 2,000.
    </>
  ),
  outlook: (
    <>
      Microsoft ended app passwords for personal accounts (outlook.com, hotmail.com) on 16 September 2024: such a
      mailbox cannot be connected with one. A work or school mailbox can, with an app password made under{' '}
      <Out href="https://mysignins.microsoft.com/security-info">Security info</Out>, as long as its administrator allows
      SMTP AUTH, which Microsoft switches off by default at the end of December 2026.
    </>
  ),
  yahoo: (
    <>
      Choose “Generate app password” under{' '}
      <Out href="https://login.yahoo.com/account/security">Yahoo account security</Out>. Yahoo sends about 500 mails a
      day.
    </>
  ),
  other: (
    <>
      Use the password that your mail program uses for sending, or an app password where the mail host offers them. The
      server must offer TLS: port 465, or 587 with STARTTLS.
    </>
  ),
}

/** Guidance for the chosen provider. */
export function Guidance({ provider }: { provider: Provider }) {
  return <>{guidance[provider]}</>
}

function Out({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
