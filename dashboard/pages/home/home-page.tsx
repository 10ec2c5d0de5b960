import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useModule } from '../../../widgets/kit/use-module.ts'
import { useApp } from '../../app.ts'
import type { KeptDraft } from '../../../widgets/compose/drafts/draft-store.ts'
import { draftStorage } from '../../draft-storage.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { FiguresPanel } from './figures-panel.tsx'
import { createHomeStore } from './home-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** For new accounts only. */
const loadNextSteps = () => import('./next-steps.tsx')
const loadLower = () => import('./lower-panels.tsx')

/** /dashboard: the first steps of a new account, the figures of 30 days, the last campaigns and messages, the mailboxes. */
export function HomePage() {
  const t = useText()
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const userId = user?.id ?? ''
  const [hasDraft] = useState(() => (draftStorage<KeptDraft>(userId).read()?.content.messageBody ?? '') !== '')
  const [store] = useState(() => createHomeStore(session, Intl.DateTimeFormat().resolvedOptions().timeZone))
  useEffect(() => {
    return store.start()
  }, [store])
  const { configs, campaigns, messages, isLive } = useSnapshot(store.state)
  const isKnown = [configs, campaigns, messages].every(({ status }) => status === 'ready')
  const hasSent = messages.value.length > 0 || campaigns.value.some(({ status }) => status !== 'draft')
  const isNew = isKnown && !hasSent
  const nextSteps = useModule(loadNextSteps, isNew)

  const lower = useModule(loadLower, true)
  const paused = configs.items.filter(({ status }) => status === 'paused')

  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Dashboard')}>{user && t('Welcome, {name}.', { name: user.first_name })}</ScreenHeader>
        <p className={isLive ? 'home-live on' : 'home-live'} role="status">
          {isLive ? t('Live') : t('Connecting...')}
        </p>
      </div>
      {paused.length > 0 && (
        <ul className="home-attention">
          {paused.map(({ id, email_address: address, pause_reason: reason }) => (
            <li key={id}>
              <a href="/dashboard/email_config">
                <b translate="no">{address}</b> {t('is paused. {reason}', { reason: reason ?? '' })}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div className="home">
        {isNew && nextSteps.module && (
          <nextSteps.module.NextSteps
            activeCount={configs.items.filter(({ status }) => status === 'active').length}
            isWritten={hasDraft || campaigns.value.length > 0}
          />
        )}
        <FiguresPanel store={store} />
        {lower.module ? (
          <lower.module.LowerPanels store={store} />
        ) : lower.retry ? (
          <ErrorState
            title={t('A part of the screen could not be loaded')}
            text={t('Check your connection.')}
            onRetry={lower.retry}
          />
        ) : (
          <section className="panel" aria-label={t('Last campaigns')}>
            <SkeletonRows className="step" widths={['54%', '38%', '46%']} />
          </section>
        )}
      </div>
    </>
  )
}
