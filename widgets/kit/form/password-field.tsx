import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Field } from './field.tsx'
import { css } from './password-field.css'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import type { TextFieldProps } from './text-field.tsx'
import { useMessages } from '../text/text.tsx'

const sheet = createSheet(css)

/**
 * A field for a password: it can be shown, shows when Caps Lock is on, and hides what it shows when its form is
 * submitted, so that password managers know it for what it is.
 */
export function PasswordField({ label, hint, problem, onValue, ...rest }: Omit<TextFieldProps, 'type'>) {
  useSheet(sheet)
  const t = useMessages()
  const input = useRef<HTMLInputElement>(null)
  const [view, setView] = useState<'hidden' | 'shown'>('hidden')
  const [capsLock, setCapsLock] = useState<'on' | 'off'>('off')
  const noteCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock') ? 'on' : 'off')

  useEffect(() => {
    const form = input.current?.form
    const hide = () => setView('hidden')
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])

  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <>
          <div className="password">
            <input
              {...rest}
              {...control}
              ref={input}
              type={view === 'shown' ? 'text' : 'password'}
              className="control"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              onChange={(event) => onValue(event.currentTarget.value)}
              onKeyDown={noteCapsLock}
              onKeyUp={noteCapsLock}
              onBlur={() => setCapsLock('off')}
            />
            <button
              type="button"
              className="password-view"
              aria-controls={control.id}
              onClick={() => setView(view === 'shown' ? 'hidden' : 'shown')}
            >
              {t(view === 'shown' ? 'Hide' : 'Show')}
              <span className="hidden-text"> {label.toLowerCase()}</span>
            </button>
          </div>
          <p className="caps-lock" role="status">
            {capsLock === 'on' && t('Caps Lock is on')}
          </p>
        </>
      )}
    </Field>
  )
}
