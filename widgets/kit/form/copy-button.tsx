import { useEffect, useState } from 'react'
import { check, copy } from '../icon/icons.ts'
import { Button } from './button.tsx'
import { useMessages } from '../text/text.tsx'

/** How long the copied state is shown. */
const copiedMs = 2000

export interface CopyButtonProps {
  /** A function is asked when the button is pressed. */
  text: string | (() => string)
  /** What is copied: 'secret key' makes 'Copy secret key'. */
  what: string
  /** What is visible: the icon, the icon and the whole label, or the icon and this text. */
  face?: 'icon' | 'label' | { text: string }
  onCopied: () => void
  onFailed: () => void
}

/** Copies a text; shows for 2000 ms that it did (spec §9). */
export function CopyButton({ text, what, face = 'icon', onCopied, onFailed }: CopyButtonProps) {
  const t = useMessages()
  const [state, setState] = useState<'idle' | 'copied'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), copiedMs)
    return () => clearTimeout(timer)
  }, [state])

  const onClick = () => {
    writeClipboard(typeof text === 'string' ? text : text()).then(() => {
      setState('copied')
      onCopied()
    }, onFailed)
  }
  const label = state === 'copied' ? t('Copied {what}', { what }) : t('Copy {what}', { what })
  const icon = state === 'copied' ? check : copy
  if (face === 'label') {
    return (
      <Button icon={icon} onClick={onClick}>
        {label}
      </Button>
    )
  }
  const quiet = { kind: 'quiet', size: 'small', icon, 'aria-label': label, onClick } as const
  return face === 'icon' ? <Button {...quiet} title={label} /> : <Button {...quiet}>{face.text}</Button>
}

async function writeClipboard(text: string): Promise<void> {
  // Absent where the page came over plain http from another machine.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard !== undefined) return clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way to copy on such a page
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser refused to copy.')
}
