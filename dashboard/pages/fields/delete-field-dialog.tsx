import { useState } from 'react'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { FieldsStore } from './fields-store.ts'

interface Props {
  store: FieldsStore
  field: Pick<ContactField, 'no' | 'label'>
  onDeleted: () => void
  onClosed: () => void
}

/** Asks before a field is deleted; where segments use it, a second time. */
export function DeleteFieldDialog({ store, field, onDeleted, onClosed }: Props) {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ reason: 'in_use' | 'failed'; text: string } | null>(null)
  const isUsed = refusal?.reason === 'in_use'
  const remove = async () => {
    setBusy(true)
    const result = await store.remove(field.no, isUsed)
    setBusy(false)
    if (result !== 'done') {
      setRefusal(result)
      return false
    }
    onDeleted()
    return true
  }
  return (
    <ConfirmDialog
      title={t('Delete “{label}”?', { label: field.label })}
      act={isUsed ? t('Delete all the same') : t('Delete')}
      busy={busy}
      onAct={remove}
      onClosed={onClosed}
    >
      <p>{t('Every contact loses its value. This cannot be undone.')}</p>
      {refusal && (
        <Banner kind={isUsed ? 'warn' : 'error'} title={isUsed ? t('Segments use this field') : refusal.text}>
          {isUsed && t('Their rules on this field will match no contact.')}
        </Banner>
      )}
    </ConfirmDialog>
  )
}
