import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { DocumentActions, DocumentBar } from '../../shell/document-bar.tsx'
import { focusLayout } from '../../shell/focus-layout.ts'
import type { DesignerStore } from './designer-store.ts'

const leave = () => {
  focusLayout.isChosen = false
}

/** Whether the designer is in the focus layout. Esc leaves it, and so does a template without blocks. */
export function useFocusLayout(hasBlocks: boolean): boolean {
  const { isChosen } = useSnapshot(focusLayout)
  useEffect(() => {
    if (!isChosen) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null) leave()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isChosen])
  useEffect(() => {
    if (!hasBlocks) leave()
  }, [hasBlocks])
  useEffect(() => {
    return leave
  }, [])
  return isChosen && hasBlocks
}

/** Replaces the top bar: back, the name, whether it is saved, and the save. */
export function FocusBar({ store }: { store: DesignerStore }) {
  const t = useText()
  const { design, status, draft, mode } = useSnapshot(store.state)
  const saving = status === 'saved' ? t('Saved!') : draft === 'kept' ? t('Saved as a draft') : ''
  return (
    <>
      <DocumentBar
        title={design.name || design.subject || t('New Template')}
        back={{ label: t('Leave the focus'), onBack: leave }}
        saving={saving}
      />
      <DocumentActions>
        <Button kind="primary" busy={status === 'saving'} onClick={() => void store.save()}>
          {mode === 'edit' ? t('Update') : t('Save')}
        </Button>
      </DocumentActions>
    </>
  )
}

/** Puts the designer into the focus layout. */
export function FocusButton() {
  const t = useText()
  return (
    <Button
      size="small"
      onClick={() => {
        focusLayout.isChosen = true
      }}
    >
      {t('Focus')}
    </Button>
  )
}
