import { useSnapshot } from 'valtio'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { deleteQuestion } from '../../../widgets/lib/template-messages.ts'
import type { TemplatesStore } from './templates-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Confirms the deletion of a template (spec §2). */
export function DeleteDialog({ store }: { store: TemplatesStore }) {
  const t = useText()
  const { asked, deletion } = useSnapshot(store.state)
  return (
    <ConfirmDialog
      title={t('Delete Confirmation')}
      act={t('Delete')}
      busy={deletion === 'deleting'}
      onAct={() => store.delete()}
      onClosed={() => store.askDelete(null)}
    >
      <p>{t(deleteQuestion)}?</p>
      <p>
        {richText(
          t,
          asked?.kind === 'saved'
            ? '{name} will be removed, and sends with its key will fail. You can undo this right after.'
            : '{name} was not saved: your changes are lost.',
          { name: <b>{asked?.name}</b> },
        )}
      </p>
    </ConfirmDialog>
  )
}
