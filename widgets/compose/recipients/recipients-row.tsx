import { useId, useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { useModule } from '../../kit/use-module.ts'
import type { ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

const loadChips = () => import('./recipient-chips.tsx')
const loadWays = () => import('../recipients-import/recipient-ways.tsx')

/** Recipients: Enter and ADD+ add, pasted lists and files are read, an entry that is no address is marked with the reason. */
export function RecipientsRow({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { draft, entry, readonly } = useSnapshot(store.state, { sync: true })
  const isFixed = readonly.includes('recipients')
  const count = draft.recipients.length
  const chips = useModule(loadChips, count > 0)
  const ways = useModule(loadWays, true).module
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      void store.addEntry()
    }
    if (event.key === 'Backspace' && entry === '' && count > 0)
      store.write({ recipients: draft.recipients.slice(0, -1) })
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/[\n,;\t]/.test(text)) return
    event.preventDefault()
    void store.addRecipients(text)
  }

  return (
    <div className="row">
      <label htmlFor={id}>{t('Recipients')}</label>
      <div className="chips" {...(isFixed && { role: 'group', 'aria-label': t('Recipients') })}>
        {chips.module && (
          <chips.module.RecipientChips
            store={store}
            noteId={`${id}-note`}
            onRemoved={isFixed ? undefined : () => input.current?.focus()}
          />
        )}
        {isFixed || (
          <span className="entry">
            <input
              ref={input}
              id={id}
              value={entry}
              autoComplete="off"
              autoCapitalize="off"
              inputMode="email"
              spellCheck={false}
              aria-describedby={`${id}-note ${id}-hint`}
              onChange={(event) => store.set({ entry: event.currentTarget.value })}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
              onBlur={() => void store.addEntry()}
            />
            <Button size="small" kind="quiet" onClick={() => void store.addEntry()}>
              {t('ADD+')}
            </Button>
          </span>
        )}
      </div>
      <div className="ways">{ways && <ways.RecipientWays store={store} id={id} />}</div>
    </div>
  )
}
