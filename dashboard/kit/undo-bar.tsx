import { Button } from '../../widgets/kit/form/button.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'
import { richText } from '../../widgets/kit/text/rich-text.tsx'

export interface UndoBarProps {
  /** What was taken out of the list last; null for nothing. */
  name: string | null
  /** What was done to it, as in “was deleted”. */
  done: 'deleted' | 'removed'
  busy: boolean
  onUndo: () => void
}

/** What went out of a list last, for as long as the screen stands: it can be brought back. */
export function UndoBar({ name, done, busy, onUndo }: UndoBarProps) {
  const t = useText()
  return (
    <div className={name === null ? 'undo' : 'undo shown'} role="status">
      {name !== null && (
        <>
          <span>{richText(t, `{name} was ${done}.`, { name: <b translate="no">{name}</b> })}</span>
          <Button size="small" busy={busy} onClick={onUndo}>
            {t('Undo')}
          </Button>
        </>
      )}
    </div>
  )
}
