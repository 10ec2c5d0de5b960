import { snippetTools } from '../../../widgets/compose/editor/snippet-tools.ts'
import { insertSnippet, type SnippetName } from '../../../widgets/compose/editor/snippets.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Buttons that insert snippets around the selection. */
export function BodyTools({ area }: { area: () => HTMLTextAreaElement | null }) {
  const t = useText()
  const insert = (name: SnippetName) => {
    const body = area()
    if (body) insertSnippet(body, name)
  }
  return (
    <div className="design-tools" role="group" aria-label={t('Snippets')}>
      {snippetTools.map(([name, face = name]) => (
        <button key={name} type="button" aria-label={name} title={name} onClick={() => insert(name)}>
          {face}
        </button>
      ))}
    </div>
  )
}
