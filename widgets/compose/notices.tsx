import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../kit/sheet.ts'
import type { ComposeStore } from './composer.ts'
import { css } from './notices.css'
import { takeBack } from './sweep.ts'

const sheet = createSheet(css)

/** What can be brought back: the last sweeping change, and the version of the draft that was written elsewhere. */
export function Notices({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const { undo, other } = useSnapshot(store.state)
  if (undo === null && other === null) return null
  return (
    <div className="notices" role="status">
      {undo && (
        <p>
          {undo.text}
          <button type="button" className="link" onClick={() => takeBack(store)}>
            Undo
          </button>
          <button type="button" className="link" onClick={() => store.set({ undo: null })}>
            Dismiss
          </button>
        </p>
      )}
      {other && (
        <p>
          Another version of this draft, {other.at}, is kept.
          <button type="button" className="link" onClick={other.take}>
            Show it
          </button>
          <button type="button" className="link" onClick={other.dismiss}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  )
}
