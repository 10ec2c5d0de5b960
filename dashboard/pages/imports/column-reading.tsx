import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { chevronDown } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { styleExamples, typeLabels } from './import-labels.ts'
import type { ImportStore } from './import-store.ts'
import { stylesFor, typeOf, type NumberedColumn } from './targets.ts'

interface ColumnReadingProps {
  store: ImportStore
  column: NumberedColumn
  fields: readonly ContactField[]
}

const otherReadings = {
  email: 'Address',
  list: 'Names of lists, with commas between them',
  locale: 'Such as de or en-GB',
  timezone: 'Such as Europe/Berlin',
  skip: '–',
} as const

/** How the cells of a column are read: a choice where more than one style fits. */
export function ColumnReading({ store, column, fields }: ColumnReadingProps) {
  const t = useText()
  const { at, name, target } = column
  if (target.kind !== 'field' && target.kind !== 'new_field') return <>{t(otherReadings[target.kind])}</>
  const type = typeOf(target, fields)
  if (type === null) return <>{t('This field was deleted. Choose another one.')}</>
  const styles = stylesFor(column, type)
  const word = t(typeLabels[type])
  if (styles.length === 0) return <>{word}</>
  const text = (style: keyof typeof styleExamples) => `${word}, ${styleExamples[style]}`
  const [first] = styles
  if (styles.length === 1 && first !== undefined) return <>{text(first)}</>
  return (
    <span className="import-select">
      <select
        aria-label={t('{name} is read as', { name })}
        value={target.style ?? first}
        onChange={({ currentTarget }) => {
          const style = styles.find((one) => one === currentTarget.value)
          if (style) store.setTarget(at, { ...target, style })
        }}
      >
        {styles.map((style) => (
          <option key={style} value={style}>
            {text(style)}
          </option>
        ))}
      </select>
      <Icon of={chevronDown} size={16} />
    </span>
  )
}
