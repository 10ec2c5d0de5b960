import { useSnapshot } from 'valtio'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { Time } from '../../kit/time.tsx'
import { importStateLabels } from './import-labels.ts'
import type { NewImportStore } from './new-import-store.ts'

/** The last imports; each links to its current step. Empty without imports. */
export function LastImports({ store }: { store: NewImportStore }) {
  const t = useText()
  const { status, items, error } = useSnapshot(store.state).last
  const columns: Column<Import>[] = [
    {
      label: t('File'),
      cell: ({ id, file_name: name }) => (
        <a className="row-title" href={`/dashboard/imports/${id}`} translate="no">
          {name}
        </a>
      ),
    },
    { label: t('State'), cell: ({ state }) => <StateTag state={state} /> },
    { label: t('New'), cell: ({ counts }) => (counts?.added ?? 0).toLocaleString(t.lang) },
    { label: t('Changed'), cell: ({ counts }) => (counts?.updated ?? 0).toLocaleString(t.lang) },
    { label: t('Refused'), cell: ({ counts }) => (counts?.refused ?? 0).toLocaleString(t.lang) },
    { label: t('Date'), cell: ({ created_at: at }) => <Time iso={at} /> },
  ]
  if (status === 'failed') {
    return (
      <section className="panel import-last">
        <ErrorState
          level={2}
          title={t('The last imports could not be loaded')}
          text={error ?? ''}
          onRetry={() => void store.loadLast()}
        />
      </section>
    )
  }
  if (items.length === 0) return null
  return (
    <section className="import-last" aria-labelledby="last-imports">
      <h2 id="last-imports">{t('Last imports')}</h2>
      <div className="panel">
        <Table label={t('Last imports')} columns={columns} rows={items as readonly Import[]} rowKey={({ id }) => id} />
      </div>
    </section>
  )
}

function StateTag({ state }: Pick<Import, 'state'>) {
  const t = useText()
  const { word, kind } = importStateLabels[state]
  return <span className={`state-pill ${kind}`}>{t(word)}</span>
}
