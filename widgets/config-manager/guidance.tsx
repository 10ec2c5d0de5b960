import type { ReactNode } from 'react'
import type { Provider } from '../../contract/mail/config.limits.ts'
import { richText } from '../kit/text/rich-text.tsx'
import { useMessages } from '../kit/text/text.tsx'

/** How to create an app password for the chosen provider (source: each provider's own help pages). */
export function Guidance({ provider }: { provider: Provider }) {
  const t = useMessages()
  if (provider === 'gmail') {
    return richText(
      t,
      'Turn on {verification} for the Google account, then create an app password at {page}. Google shows it in four groups of letters; paste it unchanged. The normal password does not work. Gmail sends up to 500 mails a day, Workspace up to 2,000.',
      {
        verification: (
          <Out href="https://myaccount.google.com/signinoptions/two-step-verification">{t('2-Step Verification')}</Out>
        ),
        page: <Out href="https://myaccount.google.com/apppasswords">myaccount.google.com/apppasswords</Out>,
      },
    )
  }
  if (provider === 'outlook') {
    return richText(
      t,
      'Microsoft ended app passwords for personal accounts (outlook.com, hotmail.com) on 16 September 2024: such a mailbox cannot be connected with one. A work or school mailbox can, with an app password created under {page}, as long as its administrator allows SMTP AUTH, which Microsoft switches off by default at the end of December 2026.',
      { page: <Out href="https://mysignins.microsoft.com/security-info">{t('Security info')}</Out> },
    )
  }
  if (provider === 'yahoo') {
    return richText(t, 'Choose “Generate app password” under {page}. Yahoo sends about 500 mails a day.', {
      page: <Out href="https://login.yahoo.com/account/security">{t('Yahoo account security')}</Out>,
    })
  }
  return t(
    'Use the password that your mail program uses for sending, or an app password where the mail host offers them. The server must offer TLS: port 465, or 587 with STARTTLS.',
  )
}

function Out({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
