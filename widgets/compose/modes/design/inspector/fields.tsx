import { useId } from 'react'
import {
  colourRoles,
  type Colour,
  type ColourRole,
  type Hex,
  type Theme,
} from '../../../../../contract/design/design.ts'
import { resolveColour, type ColourUse } from '../../../../../mail-design/colours.ts'
import { Field } from '../../../../kit/form/field.tsx'
import { SelectField } from '../../../../kit/form/select-field.tsx'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { useText } from '../../../../kit/text/text.tsx'

/** A number in px. An empty field is not taken. */
export function NumberField({
  label,
  value,
  max = 400,
  min = 0,
  onValue,
}: {
  label: string
  value: number
  min?: number
  max?: number
  onValue: (value: number) => void
}) {
  return (
    <TextField
      label={label}
      type="number"
      min={min}
      max={max}
      value={String(value)}
      onValue={(text) => {
        if (text !== '' && Number.isFinite(Number(text))) onValue(Math.min(Math.max(Number(text), min), max))
      }}
    />
  )
}

/** Words for the colours of the theme. */
const roleNames: Readonly<Record<ColourRole, string>> = {
  ...{ background: 'Background', surface: 'Surface', tint: 'Tint', accent: 'Accent', text: 'Text colour' },
  ...{ quiet: 'Quiet text', link: 'Link colour', onAccent: 'Text on accent', footer: 'Footer text', line: 'Lines' },
}

interface ColourFieldProps {
  label: string
  value: Colour | undefined
  /** What is used without a value. */
  standard: Colour | null
  use: ColourUse
  theme: Theme
  /** Undefined takes the standard. */
  onValue: (value: Colour | undefined) => void
  hint?: string | undefined
}

/** A colour of the theme, or one of its own. */
export function ColourField({ label, value, standard, use, theme, onValue, hint }: ColourFieldProps) {
  const t = useText()
  const shown = value ?? standard
  const light = shown === null ? null : resolveColour(shown, use, theme).light
  const isRole = typeof value === 'string' && !value.startsWith('#')
  const choice = value === undefined ? '' : isRole ? value : 'own'
  const choose = (next: string) => {
    if (next === '') onValue(undefined)
    else if (next === 'own') onValue(light ?? '#0f6b4f')
    else onValue(next as ColourRole)
  }
  const standardText = standard === null ? t('None') : t('Standard')
  return (
    <div className="colour-field">
      <SelectField
        label={label}
        hint={hint}
        value={choice}
        options={[
          { value: '', text: standardText },
          ...colourRoles.map((role) => ({ value: role, text: t(roleNames[role]) })),
          { value: 'own', text: t('Own colour') },
        ]}
        onValue={choose}
      />
      <PaintInput label={t('{label}: own colour', { label })} value={light} onValue={onValue} />
    </div>
  )
}

/** The platform's colour picker. */
function PaintInput({ label, value, onValue }: { label: string; value: Hex | null; onValue: (value: Hex) => void }) {
  return (
    <input
      type="color"
      className={value === null ? 'paint-input none' : 'paint-input'}
      aria-label={label}
      value={value ?? '#ffffff'}
      onChange={(event) => onValue(event.currentTarget.value as Hex)}
    />
  )
}

/** A colour of the theme itself. */
export function PaintField({ label, value, onValue }: { label: string; value: Hex; onValue: (value: Hex) => void }) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="color"
          className="paint-input wide"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value as Hex)}
        />
      )}
    </Field>
  )
}

export function Toggle({
  label,
  value,
  onValue,
}: {
  label: string
  value: boolean
  onValue: (value: boolean) => void
}) {
  const id = useId()
  return (
    <div className="toggle">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={value}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
    </div>
  )
}
