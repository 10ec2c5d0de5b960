import { useText } from '../../../widgets/kit/text/text.tsx'
import type { Import } from '../../../contract/audience/imports/import.ts'

/** Columns beyond this are not drawn: they are beyond anybody's eye, and a file may have 1,000. */
const columnsMaxCount = 50

/** The first rows of the file as they are read. */
export function PreviewTable({ columns, preview }: Pick<Import, 'columns' | 'preview'>) {
  const t = useText()
  const shown = columns.slice(0, columnsMaxCount)
  return (
    <div className="panel import-preview" role="region" aria-label={t('First rows')} tabIndex={0}>
      <table aria-label={t('First rows')}>
        <thead>
          <tr>
            {shown.map(({ header }, at) => (
              <th key={at} scope="col" translate="no">
                {header || t('Column {number}', { number: at + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map((cells, row) => (
            <tr key={row}>
              {shown.map((_, at) => (
                <td key={at} translate="no">
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
