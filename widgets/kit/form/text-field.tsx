import type { InputHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'

export interface TextFieldProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id'> {
  onValue: (value: string) => void
}

/** A field of one line. */
export function TextField({ label, hint, problem, onValue, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <input {...rest} {...control} className="control" onChange={(event) => onValue(event.currentTarget.value)} />
      )}
    </Field>
  )
}
