import { useId } from 'react'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { css } from './segmented.css'
import { Icon, type IconData } from '../icon/icon.tsx'
import type { Option } from './select-field.tsx'

const sheet = createSheet(css)

export interface SegmentedProps<Value extends string> {
  /** What is chosen, for assistive tools. */
  label: string
  /** One with an icon shows it alone; its text is then its name. */
  options: readonly (Option & { value: Value; icon?: IconData })[]
  value: Value
  onValue: (value: Value) => void
}

/** A choice of a few options side by side: radio buttons, so the platform provides arrow keys and names. */
export function Segmented<Value extends string>({ label, options, value, onValue }: SegmentedProps<Value>) {
  useSheet(sheet)
  const name = useId()
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} title={option.icon && option.text}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onValue(option.value)} />
          {option.icon && <Icon of={option.icon} size={16} />}
          <span className={option.icon && 'hidden-text'}>{option.text}</span>
        </label>
      ))}
    </div>
  )
}
