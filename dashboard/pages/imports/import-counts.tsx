import type { Import } from '../../../contract/audience/imports/import.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { countLabels } from './import-labels.ts'
import { rowCount } from './import-steps.ts'

/** The counts of a check or of an import; they add up to the number of rows. */
export function ImportCounts({ counts }: { counts: NonNullable<Import['counts']> }) {
  const t = useText()
  const total = rowCount(counts)
  const { repeated, empty } = counts
  const notes = [
    repeated > 0 &&
      t(
        '{count} row has an address that a later row has again.|{count} rows have an address that a later row has again.',
        {
          count: repeated,
        },
      ),
    empty > 0 && t('{count} empty row was skipped.|{count} empty rows were skipped.', { count: empty }),
  ].filter((note) => note !== false)
  return (
    <div className="import-counts">
      {total > 0 && (
        <div className="import-shares" aria-hidden="true">
          {countLabels.map(([name]) => (
            <span key={name} className={name} style={{ flexGrow: counts[name] }} />
          ))}
        </div>
      )}
      <dl>
        {countLabels.map(([name, label]) => (
          <div key={name}>
            <dt>
              <span className={`import-dot ${name}`} aria-hidden="true" />
              {t(label)}
            </dt>
            <dd>{counts[name].toLocaleString(t.lang)}</dd>
          </div>
        ))}
        <div className="import-sum">
          <dt>{t('Rows')}</dt>
          <dd>{total.toLocaleString(t.lang)}</dd>
        </div>
      </dl>
      {notes.map((note) => (
        <p key={note} className="import-note">
          {note}
        </p>
      ))}
    </div>
  )
}
