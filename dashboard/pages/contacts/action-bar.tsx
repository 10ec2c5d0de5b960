import type { ContactAction } from '../../../contract/audience/contact-action.ts'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { x } from '../../../widgets/kit/icon/icons.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { SelectionStore } from './selection-store.ts'

/** The progress of an action on many contacts; at its end Undo, which a deletion does not have. */
export function ActionBar({ selection, action }: { selection: SelectionStore; action: ContactAction }) {
  const t = useText()
  const { state, kind } = action
  const isRunning = state === 'running' || state === 'undoing'
  return (
    <div className="selection-bar shown">
      <span role="status">{progressOf(action, t)}</span>
      {state === 'done' && kind !== 'delete' && (
        <button type="button" className="selection-all" onClick={() => void selection.undo()}>
          {t('Undo')}
        </button>
      )}
      {!isRunning && (
        <button type="button" aria-label={t('Close')} onClick={selection.dismiss}>
          <Icon of={x} size={16} />
        </button>
      )}
    </div>
  )
}

function progressOf({ state, kind, done, total }: ContactAction, t: Translate<string>): string {
  if (state === 'running') return t('{done} of {total} done', { done, total })
  if (state === 'undoing') return t('Undoing: {done} of {total}', { done, total })
  if (state === 'undone') return t('Undone')
  if (state === 'failed') return t('Stopped after {done} of {total}. Select the contacts again.', { done, total })
  return t(doneSentences[kind], { count: done })
}

const doneSentences = {
  add_to_list: '{count} contact added to the list|{count} contacts added to the list',
  remove_from_list: '{count} contact removed from the list|{count} contacts removed from the list',
  move_to_list: '{count} contact moved|{count} contacts moved',
  set_field: '{count} contact changed|{count} contacts changed',
  delete: '{count} contact deleted|{count} contacts deleted',
} as const
