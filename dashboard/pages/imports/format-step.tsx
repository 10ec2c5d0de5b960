import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { csvDelimiters, textEncodings } from '../../../contract/audience/imports/csv.ts'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { chevronDown } from '../../../widgets/kit/icon/icons.ts'
import type { Option } from '../../../widgets/kit/form/select-field.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { delimiterLabels, encodingLabels } from './import-labels.ts'
import type { ImportStore } from './import-store.ts'
import { PreviewTable } from './preview-table.tsx'

/** How the file is read, over its first 20 rows: each detection can be changed. */
export function FormatStep({ store, record }: { store: ImportStore; record: Import }) {
  const t = useText()
  const { saving } = useSnapshot(store.state)
  const { encoding, delimiter, has_header: hasHeader, columns, preview } = record
  return (
    <>
      <div className="import-chips" role="group" aria-label={t('Read as')}>
        <Chip
          label={t('Text')}
          value={encoding ?? ''}
          options={[
            ...(encoding === null ? [{ value: '', text: t('Choose'), isPrompt: true }] : []),
            ...textEncodings.map((value) => ({ value, text: t(encodingLabels[value]) })),
          ]}
          onValue={(value) => {
            const chosen = textEncodings.find((one) => one === value)
            // Nothing else was detected either: the usual is a beginning.
            const usual = encoding === null ? { delimiter: delimiter ?? ',', has_header: hasHeader ?? true } : {}
            if (chosen) store.choose({ encoding: chosen, ...usual })
          }}
        />
        <Chip
          label={t('Between cells')}
          value={delimiter ?? ','}
          options={csvDelimiters.map((value) => ({ value, text: t(delimiterLabels[value]) }))}
          onValue={(value) => {
            const chosen = csvDelimiters.find((one) => one === value)
            if (chosen) store.choose({ delimiter: chosen })
          }}
        />
        <Chip
          label={t('Row 1')}
          value={hasHeader === true ? 'names' : 'values'}
          options={[
            { value: 'names', text: t('is names') },
            { value: 'values', text: t('is a contact') },
          ]}
          onValue={(value) => store.choose({ has_header: value === 'names' })}
        />
      </div>
      {encoding === null && (
        <Banner kind="warn" title={t('The encoding of this file cannot be detected. Choose it under “Text”.')} />
      )}
      {encoding !== null && columns.length === 0 && record.error === null && (
        <Banner
          kind="warn"
          title={t('The file cannot be read in this format. Choose another format, or another file.')}
        />
      )}
      {columns.length > 0 && preview.length === 0 && (
        <Banner kind="warn" title={t('The file has no rows below its header. Choose another one.')} />
      )}
      {columns.length > 0 && (
        <div aria-busy={saving === 'yes'}>
          <PreviewTable columns={columns} preview={preview} />
          <p className="import-note" role="status">
            {t(
              'The first row of {columns} columns as it is read.|The first {count} rows of {columns} columns as they are read.',
              { count: preview.length, columns: columns.length },
            )}
          </p>
        </div>
      )}
    </>
  )
}

interface ChipProps {
  label: string
  value: string
  options: readonly Option[]
  onValue: (value: string) => void
}

function Chip({ label, value, options, onValue }: ChipProps) {
  const id = useId()
  return (
    <span className="import-chip">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(({ value: one, text, isPrompt }) => (
          <option key={one} value={one} disabled={isPrompt === true}>
            {text}
          </option>
        ))}
      </select>
      <Icon of={chevronDown} size={14} />
    </span>
  )
}
