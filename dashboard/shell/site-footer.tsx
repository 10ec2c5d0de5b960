import { profiles, supportChatHref } from '../content/contacts.ts'
import { legalLinks } from '../content/footer.ts'
import { productName, supportEmail } from '../content/product.ts'
import { Logo } from './logo.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'

/** Footer of the public pages: documents, contacts, and light or dark. */
export function SiteFooter() {
  return (
    <footer className="site-footer">
      <div className="site-footer-columns">
        <div className="site-footer-about">
          <Logo />
          <p>Send email from the mailbox you already own.</p>
          <SchemeSwitch />
        </div>
        <nav aria-label="Product">
          <h2>Product</h2>
          <a href="/#features">Features</a>
          <a href="/docs">Documentation</a>
          <a href="/dashboard">Dashboard</a>
        </nav>
        <nav aria-label="Legal">
          <h2>Legal</h2>
          {legalLinks.map(({ text, href }) => (
            <a key={href} href={href}>
              {text}
            </a>
          ))}
        </nav>
        <nav aria-label="Contact">
          <h2>Contact</h2>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          <Elsewhere href={supportChatHref}>Chat with support</Elsewhere>
          {profiles.map(({ name, href }) => (
            <Elsewhere key={name} href={href}>
              {name}
            </Elsewhere>
          ))}
        </nav>
      </div>
      <p className="site-footer-end">{productName} sends only from mailboxes that you connect.</p>
    </footer>
  )
}

/** A link to a site that is not ours. */
function Elsewhere({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="hidden-text"> (opens in a new tab)</span>
    </a>
  )
}
