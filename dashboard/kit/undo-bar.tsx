import { Button } from '../../widgets/kit/button.tsx'

export interface UndoBarProps {
  /** What was taken out of the list last; null for nothing. */
  name: string | null
  /** What was done to it, as in “was deleted”. */
  done: string
  busy: boolean
  onUndo: () => void
}

/** What went out of a list last, for as long as the screen stands: it can be brought back. */
export function UndoBar({ name, done, busy, onUndo }: UndoBarProps) {
  return (
    <div className={name === null ? 'undo' : 'undo shown'} role="status">
      {name !== null && (
        <>
          <span>
            <b translate="no">{name}</b> was {done}.
          </span>
          <Button size="small" busy={busy} onClick={onUndo}>
            Undo
          </Button>
        </>
      )}
    </div>
  )
}
