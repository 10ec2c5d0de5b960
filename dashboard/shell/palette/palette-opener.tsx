import { useCallback, useEffect, useState, type ComponentType } from 'react'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { search } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Opens the command palette, by its button and by Ctrl+K or Cmd+K anywhere in the dashboard. */
export function PaletteOpener() {
  const t = useText()
  const { notify } = useApp()
  const [shown, setShown] = useState<{ Palette: ComponentType<{ onClosed: () => void }> } | null>(null)
  const open = useCallback(() => {
    import('./palette.tsx').then(
      ({ Palette }) => setShown({ Palette }),
      () => notify({ kind: 'error', text: t('The search could not be loaded. Check your connection.') }),
    )
  }, [notify, t])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isWanted = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      // An open dialog handles the keyboard itself.
      if (!isWanted || event.shiftKey || event.defaultPrevented || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [open])

  const isMac = navigator.platform.startsWith('Mac')
  return (
    <>
      <button
        type="button"
        className="find"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon of={search} size={16} />
        <span className="find-text" aria-hidden="true">
          {t('Go to…')}
        </span>
        <span className="hidden-text">{t('Go to a screen or template')}</span>
        <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {shown && <shown.Palette onClosed={() => setShown(null)} />}
    </>
  )
}
