import { Fragment, type ReactNode } from 'react'
import { legalLinks } from '../../content/footer.ts'
import type { LegalBlock, LegalDocument } from '../../content/legal/legal-document.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** A legal text with its table of contents beside it; `children`: the acceptance. */
export function LegalPage({
  document,
  path,
  children,
}: {
  document: LegalDocument
  path: string
  children?: ReactNode
}) {
  const t = useText()
  const { title, lastUpdated, summary, sections } = document
  return (
    <div className="legal">
      <header className="legal-head">
        <nav aria-label={t('Legal pages')}>
          {legalLinks.map(({ text, href }) => (
            <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
              {t(text)}
            </a>
          ))}
        </nav>
        <h1>{t(title)}</h1>
        <p className="legal-date">{t('Last updated {date}', { date: lastUpdated })}</p>
        <p className="legal-summary">{t(summary)}</p>
      </header>
      <nav className="legal-contents" aria-label={t('Contents')}>
        <h2>{t('Contents')}</h2>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{t(section.title)}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="legal-text">
        {sections.map((section, at) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>
              <span aria-hidden="true">{at + 1}</span>
              {t(section.title)}
            </h2>
            {section.body.map((block, index) => (
              <Block key={index} of={block} />
            ))}
          </section>
        ))}
        {children}
      </article>
    </div>
  )
}

function Block({ of }: { of: LegalBlock }) {
  const t = useText()
  if (typeof of === 'string') return <p>{withLinks(t(of))}</p>
  return (
    <ul>
      {of.map((point) => (
        <li key={point}>{withLinks(t(point))}</li>
      ))}
    </ul>
  )
}

// oxlint-disable-next-line regexp/no-super-linear-move -- it reads the legal texts of this repository only
const address = /([\w.-]+@[\w-]+(?:\.[\w-]+)+)/

/** Renders email addresses as links. */
function withLinks(text: string): ReactNode {
  return text.split(address).map((part, at) =>
    at % 2 === 0 ? (
      <Fragment key={at}>{part}</Fragment>
    ) : (
      <a key={at} href={`mailto:${part}`}>
        {part}
      </a>
    ),
  )
}
