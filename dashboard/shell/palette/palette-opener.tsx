import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { search } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { PaletteProps } from './palette.tsx'

/** Kept, so that a palette that was loaded opens within the key press. */
// oxlint-disable-next-line sendwright/module-state -- a part that was loaded
let loaded: ComponentType<PaletteProps> | null = null

/** Opens the command palette, by its button and by Ctrl+K or Cmd+K anywhere in the dashboard. */
export function PaletteOpener() {
  const t = useText()
  const { notify } = useApp()
  const [shown, setShown] = useState<{ Palette: ComponentType<PaletteProps>; query: string } | null>(null)
  /** What was typed since the palette was asked for; null while it is not being loaded. */
  const typed = useRef<string | null>(null)
  const open = useCallback(() => {
    const show = (Palette: ComponentType<PaletteProps>) => {
      loaded = Palette
      setShown({ Palette, query: typed.current ?? '' })
      typed.current = null
    }
    if (loaded) {
      show(loaded)
      return
    }
    if (typed.current !== null) return
    typed.current = ''
    import('./palette.tsx').then(
      ({ Palette }) => show(Palette),
      () => {
        typed.current = null
        notify({ kind: 'error', text: t('The search could not be loaded. Check your connection.') })
      },
    )
  }, [notify, t])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (typed.current !== null && isText) {
        typed.current += event.key
        event.preventDefault()
        return
      }
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
      {shown && <shown.Palette query={shown.query} onClosed={() => setShown(null)} />}
    </>
  )
}
