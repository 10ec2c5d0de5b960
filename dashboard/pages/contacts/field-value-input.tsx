import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

interface FieldValueInputProps {
  field: Pick<ContactField, 'type'> & { choices: readonly string[] }
  label: string
  hint?: string
  /** `true` or `false` for yes or no, `YYYY-MM-DD` for a date; empty for none. */
  value: string
  onValue: (value: string) => void
}

/** A value of a field, in the control of the field's type. */
export function FieldValueInput({ field: { type, choices }, label, hint, value, onValue }: FieldValueInputProps) {
  const t = useText()
  const shared = { label, value, onValue, ...(hint !== undefined && { hint }) }
  if (type === 'boolean' || type === 'choice') {
    const options =
      type === 'choice'
        ? choices.map((choice) => ({ value: choice, text: choice }))
        : [
            { value: 'true', text: t('Yes') },
            { value: 'false', text: t('No') },
          ]
    return <SelectField {...shared} options={[{ value: '', text: t('Choose') }, ...options]} />
  }
  const inputTypes = { number: 'number', date: 'date', text: 'text' } as const
  return <TextField {...shared} type={inputTypes[type]} step="any" autoComplete="off" />
}
