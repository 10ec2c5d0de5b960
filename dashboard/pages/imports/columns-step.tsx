import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { ColumnReading } from './column-reading.tsx'
import { ColumnTarget } from './column-target.tsx'
import type { ImportStore } from './import-store.ts'
import type { NumberedColumn } from './targets.ts'

/** Rows drawn at first and with each "Show more". */
const rowsCount = 50

/** One row for each column of the file: its name, its first values, where it goes and how it is read. */
export function ColumnsStep({ store, record }: { store: ImportStore; record: Import }) {
  const t = useText()
  const snapshot = useSnapshot(store.state)
  const fields = snapshot.fields as readonly ContactField[]
  const [shownCount, setShownCount] = useState(rowsCount)
  const numbered = record.columns.map((column, at): NumberedColumn => ({
    ...column,
    at,
    name: column.header || t('Column {number}', { number: at + 1 }),
  }))
  const columns: Column<NumberedColumn>[] = [
    {
      label: t('In the file'),
      cell: ({ name, target }) => (
        <span className={target.kind === 'skip' ? 'import-column skipped' : 'import-column'} translate="no">
          {name}
        </span>
      ),
    },
    {
      label: t('First values'),
      cell: ({ samples }) => (
        <span className="import-samples" translate="no">
          {samples.filter((sample) => sample.trim() !== '').join(' · ') || '–'}
        </span>
      ),
    },
    {
      label: t('Goes to'),
      cell: (column) => <ColumnTarget store={store} record={record} column={column} fields={fields} />,
    },
    { label: t('Read as'), cell: (column) => <ColumnReading store={store} column={column} fields={fields} /> },
  ]
  return (
    <>
      <p className="import-note" role="status">
        {snapshot.notice}
      </p>
      <div className="panel import-columns">
        <Table
          label={t('Columns of the file')}
          columns={columns}
          rows={numbered.slice(0, shownCount)}
          rowKey={({ at }) => String(at)}
        />
      </div>
      {numbered.length > shownCount && (
        <Button onClick={() => setShownCount(shownCount + rowsCount)}>
          {t('Show more of the {count} columns', { count: numbered.length })}
        </Button>
      )}
      {numbered.some(({ is_long_number: isLong }) => isLong) && (
        <p className="import-note">{t('Numbers of more than 15 digits are kept as text, so that no digit is lost.')}</p>
      )}
    </>
  )
}
