import { createContext, useContext, useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { arrowLeft } from '../../widgets/kit/icon/icons.ts'
import { productName } from '../content/product.ts'

/** Elements of the focus layout that a screen fills; null outside it, and before they exist. */
export interface DocumentPlaces {
  head: HTMLElement | null
  actions: HTMLElement | null
}

export const DocumentPlaces = createContext<DocumentPlaces>({ head: null, actions: null })

export interface DocumentBarProps {
  title: string
  /** A link, or what leaves the focus layout. */
  back: { href: string; label: string } | { onBack: () => void; label: string }
  /** What the document is, such as the name of a file. */
  about?: ReactNode
  /** Whether what was entered is saved. */
  saving?: string | undefined
}

/** In the focus layout, in place of the top bar: the way back, the name of the document and whether it is saved. */
export function DocumentBar({ title, back, about, saving = '' }: DocumentBarProps) {
  const { head } = useContext(DocumentPlaces)
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title])
  if (head === null) return null
  return createPortal(
    <>
      {'href' in back ? (
        <a className="document-back" href={back.href} aria-label={back.label} title={back.label}>
          <Icon of={arrowLeft} />
        </a>
      ) : (
        <button
          type="button"
          className="document-back"
          aria-label={back.label}
          title={back.label}
          onClick={back.onBack}
        >
          <Icon of={arrowLeft} />
        </button>
      )}
      <div className="document-name">
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      <span className="document-saving" role="status">
        {saving}
      </span>
    </>,
    head,
  )
}

/** In the focus layout, beside the document bar: what can be done with the document, one primary action at the end. */
export function DocumentActions({ children }: { children: ReactNode }) {
  const { actions } = useContext(DocumentPlaces)
  return actions && createPortal(children, actions)
}
