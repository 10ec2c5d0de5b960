import type { SelectHTMLAttributes } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { chevronDown as chevron } from '../icon/icons.ts'
import { Icon } from '../icon/icon.tsx'

/** An option: what is kept, and what is shown. A prompt says what to choose, and cannot be chosen. */
export interface Option {
  value: string
  text: string
  isPrompt?: boolean
}

export interface SelectFieldProps extends FieldProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'id'> {
  options: readonly Option[]
  onValue: (value: string) => void
}

/** A choice of one, on the platform's own control. */
export function SelectField({ label, hint, problem, options, onValue, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <span className="select">
          <select {...rest} {...control} className="control" onChange={(event) => onValue(event.currentTarget.value)}>
            {options.map(({ value, text, isPrompt }) => (
              <option key={value} value={value} disabled={isPrompt === true}>
                {text}
              </option>
            ))}
          </select>
          <Icon of={chevron} size={16} />
        </span>
      )}
    </Field>
  )
}
