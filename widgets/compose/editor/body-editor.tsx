import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { ComposeStore } from '../compose-types.ts'
import { snippetTools } from './snippet-tools.ts'
import type { SnippetName } from './snippets.ts'
import type { WritingAids } from './subject-row.tsx'
import { useMessages } from '../../kit/text/text.tsx'

/** The message's HTML, 10 rows (spec §2), with buttons that put snippets in. */
export function BodyEditor({ store, aids }: { store: ComposeStore; aids: WritingAids | undefined }) {
  const t = useMessages()
  const { draft, hide, readonly } = useSnapshot(store.state, { sync: true })
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = async (name: SnippetName) => {
    const { insertSnippet } = await import('./snippets.ts')
    if (area.current) insertSnippet(area.current, name, true)
  }
  return (
    <>
      {hide.includes('snippets') || (
        <div className="tools" role="group" aria-label={t('Snippets')}>
          {snippetTools.map(([name, face = t(name)]) => (
            <button key={name} type="button" aria-label={t(name)} title={t(name)} onClick={() => void insert(name)}>
              {face}
            </button>
          ))}
        </div>
      )}
      <span className="painted body">
        {aids && <aids.SyntaxOverlay text={draft.messageBody} control={area} />}
        <textarea
          ref={area}
          rows={10}
          dir="auto"
          aria-label={t('Message body, HTML')}
          placeholder={t('<p>Write your message in HTML, or use the buttons above.</p>')}
          value={draft.messageBody}
          spellCheck
          readOnly={readonly.includes('body')}
          onChange={(event) => store.write({ messageBody: event.currentTarget.value })}
        />
        {aids && <aids.Completion store={store} control={area} />}
      </span>
    </>
  )
}
