import type { Condition, Design, Row } from '../../../../../contract/design/design.ts'
import { rowColumnsMaxCount, spanMax } from '../../../../../contract/design/design.limits.ts'
import { Segmented } from '../../../../kit/form/segmented.tsx'
import { SelectField } from '../../../../kit/form/select-field.tsx'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { useText } from '../../../../kit/text/text.tsx'
import type { DesignStore } from '../design-store.ts'
import { setColumnCount, setColumnSpan } from '../document/operations.ts'
import { without } from './shared-fields.tsx'
import { ColourField, NumberField, Toggle } from './fields.tsx'

/** Columns, fill, space and condition of a row. */
export function RowFields({ row, design, store }: { row: Row; design: Design; store: DesignStore }) {
  const t = useText()
  const count = row.columns.length
  const change = (key: string, next: (row: Row) => Row) => store.updateRow(row.id, key, next)
  const [above, right, below, left] = row.wide?.padding ?? row.padding ?? [0, 0, 0, 0]
  const setPadding = (key: string, padding: [number, number, number, number]) =>
    change(key, (known) => {
      const { padding: _padding, ...wide } = known.wide ?? {}
      return { ...known, padding, ...(known.wide && { wide }) }
    })
  return (
    <>
      <div className="field">
        <span className="label">{t('Columns')}</span>
        <Segmented
          label={t('Columns')}
          options={Array.from({ length: rowColumnsMaxCount }, (_, at) => ({
            value: String(at + 1),
            text: String(at + 1),
          }))}
          value={String(count)}
          onValue={(wanted) => change('count', (known) => setColumnCount(known, Number(wanted)))}
        />
      </div>
      {count > 1 && (
        <>
          <div className="field-row">
            {row.columns.map((column, at) => (
              <NumberField
                key={at}
                label={t('Width {number}', { number: at + 1 })}
                value={Math.round(column.span * 10) / 10}
                min={1}
                max={spanMax - count + 1}
                onValue={(span) => change(`span ${at}`, (known) => setColumnSpan(known, at, span))}
              />
            ))}
          </div>
          <p className="hint">{t('Parts of 12')}</p>
          <Toggle
            label={t('Below each other on phones')}
            value={row.stackOnPhone}
            onValue={(stackOnPhone) => change('stack', (known) => ({ ...known, stackOnPhone }))}
          />
        </>
      )}
      <ColourField
        {...{ label: t('Background'), value: row.background, standard: 'surface', theme: design.theme }}
        use="background-color"
        onValue={(background) => change('background', (known) => without({ ...known, background } as Row))}
      />
      <div className="field-row">
        <NumberField
          label={t('Space above')}
          value={above}
          max={200}
          onValue={(px) => setPadding('above', [px, right, below, left])}
        />
        <NumberField
          label={t('Space below')}
          value={below}
          max={200}
          onValue={(px) => setPadding('below', [above, right, px, left])}
        />
        <NumberField
          label={t('At the sides')}
          value={left}
          max={200}
          onValue={(px) => setPadding('sides', [above, px, below, px])}
        />
      </div>
      <ConditionFields row={row} onChange={change} />
    </>
  )
}

function ConditionFields({
  row: { showIf },
  onChange,
}: {
  row: Row
  onChange: (key: string, next: (row: Row) => Row) => void
}) {
  const t = useText()
  const set = (key: string, next: Condition | undefined) =>
    onChange(key, (known) => without({ ...known, showIf: next } as Row))
  const choose = (operator: string) => {
    if (operator === 'always') set('condition', undefined)
    else {
      const known = showIf ?? { variable: 'plan' }
      const isFilled = operator === 'filled'
      const { variable } = known
      const value = 'value' in known ? (known.value ?? '') : ''
      set('condition', { variable, operator: operator as 'is', ...(!isFilled && { value }) })
    }
  }
  return (
    <>
      <SelectField
        label={t('Show this row')}
        value={showIf?.operator ?? 'always'}
        options={[
          { value: 'always', text: t('Always') },
          { value: 'filled', text: t('If a variable is filled') },
          { value: 'is', text: t('If a variable is') },
          { value: 'is_not', text: t('If a variable is not') },
        ]}
        onValue={choose}
      />
      {showIf && (
        <div className="field-row">
          <TextField
            label={t('Variable')}
            value={showIf.variable}
            onValue={(variable) => set('variable', { ...showIf, variable })}
          />
          {showIf.operator !== 'filled' && (
            <TextField
              label={t('Value')}
              value={showIf.value ?? ''}
              onValue={(value) => set('value', { ...showIf, value })}
            />
          )}
        </div>
      )}
    </>
  )
}
