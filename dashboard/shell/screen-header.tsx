import { useEffect, type ReactNode } from 'react'
import { productName } from '../content/product.ts'

/** A screen's heading, which names the browser's tab too, and what the screen is for. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title])
  return (
    <div className="screen-header">
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  )
}
