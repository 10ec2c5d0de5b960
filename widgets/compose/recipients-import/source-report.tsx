import { useSnapshot } from 'valtio'
import { useMessages } from '../../kit/text/text.tsx'
import type { SourceReport as Report } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { ColumnTable } from './column-table.tsx'
import { undoSource } from './import-store.ts'

/** Entries whose reason is written out. */
const reasonsMaxCount = 200
/** From so many on, the list does not fit its box. */
const scrolledCount = 4

/** What the last paste or file came to, with its undo, and the columns of the source that is chosen. */
export function SourceReport({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { report, mapped, draft, readonly } = useSnapshot(store.state)
  const isFixed = readonly.includes('recipients')
  const source = draft.sources.find(({ id }) => id === mapped)
  if (report === null && !source) return null
  return (
    <div className="report">
      {report && (
        <div className={`report-head ${report.status}`}>
          <p role={report.status === 'problem' ? 'alert' : 'status'}>
            {t(report.what.text, report.what.values)}
            {report.status === 'added' && report.emptyCount > 0 && (
              <> · {t('{count} empty row skipped|{count} empty rows skipped', { count: report.emptyCount })}</>
            )}
          </p>
          {(report.status === 'added' || report.status === 'undone') && !isFixed && (
            <button type="button" className="link" onClick={() => undoSource(store)}>
              {t('Undo')}
            </button>
          )}
          {report.status !== 'reading' && (
            <button type="button" className="link" onClick={() => store.set({ report: null, mapped: '' })}>
              {t('Dismiss')}
            </button>
          )}
        </div>
      )}
      {report?.status === 'added' && report.refused.length > 0 && <Reasons refused={report.refused} />}
      {source && source.columns.length > 0 && (
        <ColumnTable key={source.id} store={store} source={source} isFixed={isFixed} />
      )}
    </div>
  )
}

/** Why entries were not understood: all that fit a list to be scrolled. */
function Reasons({ refused }: { refused: Report['refused'] }) {
  const t = useMessages()
  const moreCount = refused.length - reasonsMaxCount
  return (
    <>
      <div className="report-reasons" role="region" aria-label={t('Entries that were not understood')} tabIndex={0}>
        <ul>
          {refused.slice(0, reasonsMaxCount).map(({ text, problem }, at) => (
            <li key={at}>
              <b translate="no">{text}</b> {problem && t(problem)}
            </li>
          ))}
          {moreCount > 0 && <li>{t('and {number} more marked entries', { number: moreCount })}</li>}
        </ul>
      </div>
      {refused.length >= scrolledCount && (
        <p className="report-hint">{t('Scroll to see all {number} reasons', { number: refused.length })}</p>
      )}
    </>
  )
}
