import { useSnapshot } from 'valtio'
import { useModule } from '../../../widgets/kit/use-module.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import type { HomeStore } from './home-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const loadChart = () => import('./days-chart.tsx')

/** Mails of each of the last 30 days. The chart loads when there is data. */
export function DaysPanel({ store }: { store: HomeStore }) {
  const t = useText()
  const { status, value, error } = useSnapshot(store.state).days
  const hasMail = value.some(({ sent, failed, waiting }) => sent + failed + waiting > 0)
  const chart = useModule(loadChart, hasMail)
  if (status === 'ready' && !hasMail) return null
  return (
    <section className="panel home-days" aria-label={t('Last 30 days')}>
      <h2>{t('Last 30 days')}</h2>
      {status === 'failed' && (
        <ErrorState title={t('The counts could not be loaded')} text={error} onRetry={() => void store.reloadDays()} />
      )}
      {chart.retry && (
        <ErrorState
          title={t('The chart could not be loaded')}
          text={t('Check your connection.')}
          onRetry={chart.retry}
        />
      )}
      {status !== 'failed' && !chart.module && !chart.retry && (
        <Skeleton>
          <div className="home-chart-bones">
            <Bone width="34%" />
            <div />
          </div>
        </Skeleton>
      )}
      {hasMail && chart.module && <chart.module.DaysChart days={value} />}
    </section>
  )
}
