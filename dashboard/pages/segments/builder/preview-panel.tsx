import { useSnapshot } from 'valtio'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import type { PreviewState, PreviewStore } from './preview-store.ts'

/** From which duration on the cost of counting is shown. */
const costFromMs = 1000

/** How many people the rules find, and ten of them. `savedId`: the segment that has these rules. */
export function PreviewPanel({ store, savedId }: { store: PreviewStore; savedId: string | null }) {
  const t = useText()
  const { phase, count, tookMs, contacts, error } = useSnapshot(store.state)
  const isOld = phase === 'counting'
  return (
    <div className="builder-preview">
      <section className="panel preview-count" aria-labelledby="preview-people">
        <h2 id="preview-people">{t('People')}</h2>
        <div role="status" className={isOld ? 'preview-figure old' : 'preview-figure'}>
          <span className="figure">
            <CountText phase={phase} count={count} />
          </span>
          <span className="preview-phase">{t(phaseTexts[phase])}</span>
        </div>
        {phase === 'exact' && tookMs > costFromMs && (
          <p className="segment-note">
            {t('Counting took {seconds} s.', { seconds: (tookMs / 1000).toLocaleString(t.lang, seconds) })}{' '}
            {t('The segment is counted again each time you send to it.')}
          </p>
        )}
        {phase === 'failed' && (
          <p className="preview-failed" role="alert">
            <span>{error ?? t('The exact number did not come.')}</span>
            <Button size="small" onClick={() => store.retry()}>
              {t('Try Again')}
            </Button>
          </p>
        )}
      </section>
      <Examples phase={phase} contacts={contacts as PreviewState['contacts']} savedId={savedId} />
    </div>
  )
}

const seconds = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

const phaseTexts: Record<PreviewState['phase'], string> = {
  invalid: 'Complete the rules that are marked.',
  counting: 'Counting…',
  estimate: 'Estimate, the exact number follows',
  exact: 'Exact',
  failed: 'Not counted',
}

function CountText({ phase, count }: Pick<PreviewState, 'phase' | 'count'>) {
  const t = useText()
  if (count === null) return phase === 'counting' ? '…' : '–'
  // After a failure only an estimate can be left.
  const isExact = phase === 'exact' || phase === 'counting'
  return isExact ? count.toLocaleString(t.lang) : t('about {count}', { count })
}

function Examples({ phase, contacts, savedId }: Pick<PreviewState, 'phase' | 'contacts'> & { savedId: string | null }) {
  const t = useText()
  if (phase === 'exact' && contacts.length === 0)
    return (
      <section className="panel preview-people" aria-labelledby="preview-some">
        <h2 id="preview-some">{t('Some of them')}</h2>
        <p className="segment-note">{t('No contact matches these rules.')}</p>
      </section>
    )
  if (contacts.length === 0) return null
  return (
    <section
      className={phase === 'exact' ? 'panel preview-people' : 'panel preview-people old'}
      aria-labelledby="preview-some"
    >
      <h2 id="preview-some">{t('Some of them')}</h2>
      <ul>
        {contacts.map(({ id, email, name }) => (
          <li key={id}>
            <a href={`/dashboard/contacts/${id}`}>{name || email}</a>
            {name !== '' && <span className="segment-note">{email}</span>}
          </li>
        ))}
      </ul>
      {savedId !== null && <a href={`/dashboard/contacts?segment=${savedId}`}>{t('See all')}</a>}
    </section>
  )
}
