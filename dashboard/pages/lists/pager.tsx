import { Button } from '../../../widgets/kit/button.tsx'
import { pageCount } from './paged-store.ts'

/** Which rows are shown, and the way to the pages beside them; nothing where one page holds all. */
export function Pager({
  offset,
  shown,
  total,
  onTurn,
}: {
  offset: number
  shown: number
  total: number
  onTurn: (offset: number) => void
}) {
  if (total <= pageCount) return null
  return (
    <nav className="list-pager" aria-label="Pages">
      <span role="status">
        {(offset + 1).toLocaleString()} to {(offset + shown).toLocaleString()} of {total.toLocaleString()}
      </span>
      <Button size="small" disabled={offset === 0} onClick={() => onTurn(offset - pageCount)}>
        Newer
      </Button>
      <Button size="small" disabled={offset + shown >= total} onClick={() => onTurn(offset + pageCount)}>
        Older
      </Button>
    </nav>
  )
}
