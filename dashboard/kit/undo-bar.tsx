import { Button } from '../../widgets/kit/form/button.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'
import { richText } from '../../widgets/kit/text/rich-text.tsx'

export interface UndoBarProps {
  /** The entry that was removed last, or null. */
  name: string | null
  /** The action, as in “was deleted”. */
  done: 'deleted' | 'removed'
  busy: boolean
  onUndo: () => void
}

/** Offers to undo the last removal from a list, until the screen is left. */
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
