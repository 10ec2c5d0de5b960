import { useEffect, type ReactNode } from 'react'
import { SchemeSwitch } from './scheme-switch.tsx'
import { SiteHeader } from './site-header.tsx'
import { productName } from '../content/product.ts'

/** A page outside the dashboard: site header, content, footer. `title` stands in the browser's tab. */
export function PublicPage({ title, children }: { title?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title === undefined ? productName : `${title} · ${productName}`
  }, [title])
  return (
    <div className="site">
      <SiteHeader />
      <main className="site-main" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <span>{productName}</span>
        <SchemeSwitch />
      </footer>
    </div>
  )
}
