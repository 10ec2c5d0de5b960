import type { TextareaHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'

export interface TextAreaProps
  extends FieldProps, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'id'> {
  onValue: (value: string) => void
}

/** A field of several lines; `rows` says how many. */
export function TextArea({ label, hint, problem, onValue, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <textarea {...rest} {...control} className="control" onChange={(event) => onValue(event.currentTarget.value)} />
      )}
    </Field>
  )
}
