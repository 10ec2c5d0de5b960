import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/button.tsx'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/states.tsx'
import { useApp } from '../../app.ts'
import { allOthers, createSessionsStore } from './sessions-store.ts'

/** Where the person is signed in; each can be ended from here. */
export function SessionsPanel() {
  const { session, notify } = useApp()
  const [store] = useState(() => createSessionsStore(session, notify))
  useEffect(() => void store.load(), [store])
  const { status, items, totalCount, error, ending } = useSnapshot(store.state)
  return (
    <section className="panel" aria-labelledby="profile-sessions">
      <h2 id="profile-sessions">Sessions</h2>
      {status === 'loading' && (
        <Skeleton>
          <div className="step">
            <Bone width="50%" />
          </div>
        </Skeleton>
      )}
      {status === 'failed' && (
        <ErrorState title="The sessions could not be loaded" text={error ?? ''} onRetry={() => void store.load()} />
      )}
      <ul className="home-rows">
        {items.map((item) => (
          <li key={item.id}>
            <div>
              <h3>
                {item.device} {item.is_current && <small className="badge">current</small>}
              </h3>
              <p>
                Since <Moment at={item.created_at} />, last used <Moment at={item.last_used_at} />
              </p>
            </div>
            {!item.is_current && (
              <Button
                size="small"
                busy={ending === item.id}
                aria-label={`Sign out ${item.device}`}
                onClick={() => void store.end(item)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {totalCount > 1 && (
        <div className="profile-line">
          {totalCount > items.length ? (
            <Button onClick={() => void store.loadMore()}>Show more</Button>
          ) : (
            <p>{totalCount.toLocaleString()} sessions</p>
          )}
          <Button busy={ending === allOthers} onClick={() => void store.endOthers()}>
            Sign out other sessions
          </Button>
        </div>
      )}
    </section>
  )
}

function Moment({ at }: { at: string }) {
  const when = new Date(at)
  return (
    <time dateTime={at} title={when.toString()}>
      {when.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}
