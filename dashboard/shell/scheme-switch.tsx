import { useState } from 'react'
import { Segmented } from '../../widgets/kit/segmented.tsx'
import { readScheme, setScheme, type Scheme } from '../preferences.ts'

const schemes = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const

/** Light, dark, or as the visitor's system has it. */
export function SchemeSwitch() {
  const [scheme, setShown] = useState<Scheme>(readScheme)
  return (
    <Segmented
      label="Colour scheme"
      options={schemes}
      value={scheme}
      onValue={(value) => {
        setScheme(value)
        setShown(value)
      }}
    />
  )
}
