import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { useApp } from '../../app.ts'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import { allOthers, createSessionsStore } from './sessions-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Where the person is signed in; each can be ended from here. */
export function SessionsPanel() {
  const t = useText()
  const { session, notify } = useApp()
  const [store] = useState(() => createSessionsStore(session, notify))
  useEffect(() => void store.load(), [store])
  const { status, items, totalCount, error, ending } = useSnapshot(store.state)
  return (
    <section className="panel" aria-labelledby="profile-sessions">
      <h2 id="profile-sessions">{t('Sessions')}</h2>
      {status === 'loading' && <SkeletonRows className="step" widths={['50%']} />}
      {status === 'failed' && (
        <ErrorState title={t('The sessions could not be loaded')} text={error} onRetry={() => void store.load()} />
      )}
      <ul className="home-rows">
        {items.map((item) => (
          <li key={item.id}>
            <div>
              <h3>
                {item.device} {item.is_current && <small className="state-pill good">{t('current')}</small>}
              </h3>
              <p>
                {richText(t, 'Since {time}, last used {time2}', {
                  time: <Time iso={item.created_at} isDated />,
                  time2: <Time iso={item.last_used_at} isDated />,
                })}
              </p>
            </div>
            {!item.is_current && (
              <Button
                size="small"
                busy={ending.includes(item.id)}
                aria-label={t('Sign out {device}', { device: item.device })}
                onClick={() => void store.end(item)}
              >
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {totalCount > 1 && (
        <div className="profile-line">
          {totalCount > items.length ? (
            <Button onClick={() => void store.loadMore()}>{t('Show more')}</Button>
          ) : (
            <p>{t('{totalCount} sessions', { totalCount })}</p>
          )}
          <Button busy={ending.includes(allOthers)} onClick={() => void store.endOthers()}>
            {t('Sign out other sessions')}
          </Button>
        </div>
      )}
    </section>
  )
}
