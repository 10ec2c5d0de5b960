import { useId } from 'react'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { fieldLabelMaxChars } from '../../../contract/audience/contact.limits.ts'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { chevronDown } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { typeLabels } from './import-labels.ts'
import type { ImportStore } from './import-store.ts'
import { newField, newFieldTypes, takenKeys, targetOf, targetValue, type NumberedColumn } from './targets.ts'

interface ColumnTargetProps {
  store: ImportStore
  record: Import
  column: NumberedColumn
  fields: readonly ContactField[]
}

/** Where a column goes; for a new field also its name and its type. */
export function ColumnTarget({ store, record, column, fields }: ColumnTargetProps) {
  const t = useText()
  const id = useId()
  const { at, name, target } = column
  const isTaken = (value: string) =>
    record.columns.some((other, index) => index !== at && targetValue(other.target) === value)
  const option = (value: string, text: string) => (
    <option key={value} value={value} disabled={isTaken(value)}>
      {text}
    </option>
  )
  const change = (value: string) => {
    const given = { label: column.header.trim() || name, taken: takenKeys(record, at, fields) }
    store.setTarget(at, targetOf(value, column, fields, given))
  }
  return (
    <div className="import-target">
      <span className={`import-select ${target.kind}`}>
        <select
          id={id}
          aria-label={t('{name} goes to', { name })}
          value={targetValue(target)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          {/* Choosing the address here takes it from the column that has it. */}
          <option value="email">{t('Address')}</option>
          <optgroup label={t('Fields')}>{fields.map(({ no, label }) => option(`field:${no}`, label))}</optgroup>
          <option value="new_field">
            {target.kind === 'new_field' ? t('New: {name}', { name: target.label }) : t('New field')}
          </option>
          {option('list', t('List of that name'))}
          {option('locale', t('Language'))}
          {option('timezone', t('Time zone'))}
          <option value="skip">{t('Skip this column')}</option>
        </select>
        <Icon of={chevronDown} size={16} />
      </span>
      {target.kind === 'new_field' && (
        <details className="import-new-field">
          <summary>{t('Name and type')}</summary>
          <TextField
            label={t('Name of the field')}
            value={target.label}
            maxLength={fieldLabelMaxChars}
            problem={target.label.trim() === '' ? t('Give the field a name.') : null}
            onValue={(label) =>
              store.setTarget(at, {
                ...target,
                ...(label.trim() && { key: keyOf(column, label, takenKeys(record, at, fields)) }),
                label,
              })
            }
          />
          <SelectField
            label={t('Type')}
            value={target.type}
            options={newFieldTypes.map((type) => ({ value: type, text: t(typeLabels[type]) }))}
            onValue={(value) => {
              const type = newFieldTypes.find((one) => one === value) ?? 'text'
              store.setTarget(at, newField(column, { label: target.label, type }, takenKeys(record, at, fields)))
            }}
          />
          <p className="import-note">{t('In a mail: {variable}', { variable: `{{${target.key}}}` })}</p>
        </details>
      )}
    </div>
  )
}

function keyOf(column: NumberedColumn, label: string, taken: ReadonlySet<string>): string {
  const target = newField(column, { label, type: 'text' }, taken)
  return target.kind === 'new_field' ? target.key : ''
}
