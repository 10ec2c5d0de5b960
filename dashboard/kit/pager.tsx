import { Button } from '../../widgets/kit/form/button.tsx'
import { pageCount } from './paged-store.ts'
import { useText } from '../../widgets/kit/text/text.tsx'

/** The range of the rows and the buttons for the previous and the next page; renders nothing for a single page. */
export function Pager({
  offset,
  shown,
  total,
  onTurn,
  turns: [before, after] = ['Newer', 'Older'],
}: {
  offset: number
  shown: number
  total: number
  onTurn: (offset: number) => void
  turns?: readonly [before: string, after: string] | undefined
}) {
  const t = useText()
  if (total <= pageCount) return null
  return (
    <nav className="list-pager" aria-label={t('Pages')}>
      <span role="status">{t('{from} to {to} of {total}', { from: offset + 1, to: offset + shown, total })}</span>
      <Button size="small" disabled={offset === 0} onClick={() => onTurn(offset - pageCount)}>
        {before}
      </Button>
      <Button size="small" disabled={offset + shown >= total} onClick={() => onTurn(offset + pageCount)}>
        {after}
      </Button>
    </nav>
  )
}
