import { useId, type ReactNode } from 'react'
import { css } from './field.css'
import { createSheet, useSheet } from '../shadow/sheet.ts'

const sheet = createSheet(css)

/** What every field has: its name, what helps before a fault and what mends one. */
export interface FieldProps {
  label: string
  hint?: ReactNode
  /** How to correct the value; announced with the field. */
  problem?: string | null | undefined
}

/** Attributes that tie a control to its field. */
export interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label, control and the sentence below it. `children` draws the control with the attributes it is given. */
export function Field({
  label,
  hint,
  problem,
  children,
}: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  useSheet(sheet)
  const id = useId()
  const note = problem ?? hint
  return (
    <div className="field" part="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {note && (
        <p className={problem ? 'problem' : 'hint'} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}
