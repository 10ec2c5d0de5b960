import { profiles, supportChatHref } from '../../content/contacts.ts'
import { legalLinks } from '../../content/footer.ts'
import { productName, supportEmail } from '../../content/product.ts'
import { Logo } from '../logo.tsx'
import { SchemeSwitch } from '../scheme-switch.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Footer of the public pages: documents, contacts, and light or dark. */
export function SiteFooter() {
  const t = useText()
  return (
    <footer className="site-footer">
      <div className="site-footer-columns">
        <div className="site-footer-about">
          <Logo />
          <p>{t('Send email from the mailbox you already own.')}</p>
          <SchemeSwitch />
        </div>
        <nav aria-label={t('Product')}>
          <h2>{t('Product')}</h2>
          <a href="/#features">{t('Features')}</a>
          <a href="/docs">{t('Documentation')}</a>
          <a href="/dashboard">{t('Dashboard')}</a>
        </nav>
        <nav aria-label={t('Legal')}>
          <h2>{t('Legal')}</h2>
          {legalLinks.map(({ text, href }) => (
            <a key={href} href={href}>
              {t(text)}
            </a>
          ))}
        </nav>
        <nav aria-label={t('Contact')}>
          <h2>{t('Contact')}</h2>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          <Elsewhere href={supportChatHref}>{t('Chat with support')}</Elsewhere>
          {profiles.map(({ name, href }) => (
            <Elsewhere key={name} href={href}>
              {name}
            </Elsewhere>
          ))}
        </nav>
      </div>
      <p className="site-footer-end">
        {t('{product} sends only from mailboxes that you connect.', { product: productName })}
      </p>
    </footer>
  )
}

/** A link to a site that is not ours. */
function Elsewhere({ href, children }: { href: string; children: string }) {
  const t = useText()
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="hidden-text"> {t('(opens in a new tab)')}</span>
    </a>
  )
}
