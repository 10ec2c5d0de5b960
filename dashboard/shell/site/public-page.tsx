import { Suspense, useEffect, type ReactNode } from 'react'
import { homeTitle, productName } from '../../content/product.ts'
import { deferredPart } from '../deferred-part.tsx'
import { SiteHeader } from './site-header.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

export const siteFooter = deferredPart(
  async () => (await import('./site-footer.tsx')).SiteFooter,
  () => document.querySelector('.site-footer') !== null,
)

/** A page outside the dashboard: site header, content, footer. `title` is the translated title of the document. */
export function PublicPage({ title, children }: { title?: string; children: ReactNode }) {
  const t = useText()
  useEffect(() => {
    document.title = title === undefined ? t(homeTitle) : `${title} · ${productName}`
  }, [title, t])
  return (
    <div className="site">
      <a className="skip" href="#content">
        {t('Skip to content')}
      </a>
      <SiteHeader />
      <main id="content" className="site-main" tabIndex={-1}>
        {children}
      </main>
      <Suspense fallback={null}>
        <siteFooter.Part />
      </Suspense>
    </div>
  )
}
