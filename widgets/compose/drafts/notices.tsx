import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import type { ComposeStore } from '../compose-types.ts'
import { css } from './notices.css'
import { message } from '../../lib/messages/message.ts'
import { sweep } from './undo.ts'
import { useMessages, useText } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

/** What can be brought back: the last sweeping change, and the version of the draft that was written elsewhere. */
export function Notices({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const owner = useText()
  const { undo, other } = useSnapshot(store.state)
  if (undo === null && other === null) return null
  return (
    <div className="notices" role="status">
      {undo && (
        <p>
          {t(undo.text, undo.values)}
          <button type="button" className="link" onClick={() => restore(store)}>
            {t('Undo')}
          </button>
          <button type="button" className="link" onClick={() => store.set({ undo: null })}>
            {t('Dismiss')}
          </button>
        </p>
      )}
      {other && (
        <p>
          {owner('Another version of this draft, {when}, is kept.', { when: other.at })}
          <button type="button" className="link" onClick={other.take}>
            {t('Show it')}
          </button>
          <button type="button" className="link" onClick={other.dismiss}>
            {t('Dismiss')}
          </button>
        </p>
      )}
    </div>
  )
}

/** Restores what the last change of several parts replaced. Called again, it restores that change. */
function restore(store: ComposeStore): void {
  if (store.state.undo !== null) sweep(store, message('Restored.'), store.state.undo.draft)
}
