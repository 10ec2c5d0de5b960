import { useId } from 'react'
import { createSheet, useSheet } from './sheet.ts'
import { css } from './segmented.css'
import type { Option } from './select-field.tsx'

const sheet = createSheet(css)

export interface SegmentedProps<Value extends string> {
  /** What is chosen, for assistive tools. */
  label: string
  options: readonly (Option & { value: Value })[]
  value: Value
  onValue: (value: Value) => void
}

/** A choice of a few that stand side by side: radio buttons, so arrow keys and names come from the platform. */
export function Segmented<Value extends string>({ label, options, value, onValue }: SegmentedProps<Value>) {
  useSheet(sheet)
  const name = useId()
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onValue(option.value)} />
          {option.text}
        </label>
      ))}
    </div>
  )
}
