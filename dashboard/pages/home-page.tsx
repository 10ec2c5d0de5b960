import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../widgets/kit/button.tsx'
import { Icon } from '../../widgets/kit/icon.tsx'
import { circle, circleCheck } from '../../widgets/kit/icons.ts'
import { Bone, ErrorState, Skeleton } from '../../widgets/kit/states.tsx'
import { useApp } from '../app.ts'
import { draftStorage, readLastMessage } from '../memory.ts'
import { ScreenHead } from '../shell/screen-head.tsx'
import { createHomeStore } from './home-store.ts'

/** /dashboard: the next steps with their live state, and how the last message went. */
export function HomePage() {
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const userId = user?.id ?? ''
  const [lastId] = useState(() => readLastMessage(userId))
  const [draft] = useState(() => draftStorage(userId).read()?.content ?? null)
  const [store] = useState(() => createHomeStore(session, lastId))
  useEffect(() => store.start(), [store])
  const { configs, lastMessage, trouble } = useSnapshot(store.state)

  const activeCount = configs.items.filter(({ status }) => status === 'active').length
  const isWritten = lastId !== null || (draft !== null && draft.messageBody !== '')
  const steps = [
    {
      isDone: activeCount > 0,
      title: 'Connect a mailbox',
      text: activeCount > 0 ? `${activeCount} active` : 'The address your mail will come from.',
      href: '/dashboard/email_config#add',
      act: activeCount > 0 ? 'Manage' : 'Connect',
    },
    {
      isDone: isWritten,
      title: 'Write a message',
      text: isWritten
        ? lastId === null
          ? 'A draft waits for you.'
          : 'Written.'
        : 'HTML, with merge variables and a live preview.',
      href: '/dashboard/send_email',
      act: draft === null ? 'Write' : 'Go on writing',
    },
    {
      isDone: lastId !== null,
      title: 'Send it',
      text: lastId === null ? 'Each recipient gets a mail of their own.' : 'Sent from this browser.',
      href: '/dashboard/send_email',
      act: 'Send',
    },
  ]
  const isLoading = configs.items.length === 0 && configs.status !== 'ready' && configs.status !== 'failed'

  return (
    <>
      <ScreenHead title="Dashboard">{user && `Good to see you, ${user.first_name}.`}</ScreenHead>
      <div className="home">
        <section className="panel" aria-label="Next steps">
          <h2>Next steps</h2>
          {isLoading ? (
            <Skeleton>
              {steps.map(({ title }) => (
                <div className="step" key={title}>
                  <Bone width="60%" />
                </div>
              ))}
            </Skeleton>
          ) : (
            <ol className="steps">
              {steps.map(({ isDone, title, text, href, act }) => (
                <li key={title} className={isDone ? 'step done' : 'step'}>
                  <span className="step-mark" role="img" aria-label={isDone ? 'Done' : 'To do'}>
                    <Icon of={isDone ? circleCheck : circle} size={20} />
                  </span>
                  <div>
                    <h3>{title}</h3>
                    <p>{text}</p>
                  </div>
                  <ButtonLink href={href}>{act}</ButtonLink>
                </li>
              ))}
            </ol>
          )}
          {configs.status === 'failed' && (
            <ErrorState
              title="The mailboxes could not be loaded"
              text={configs.error ?? ''}
              onRetry={() => void store.reload()}
            />
          )}
        </section>
        {lastMessage && (
          <section className="panel" aria-label="Last message">
            <h2>Last message</h2>
            <div className="last">
              <h3>{lastMessage.subject}</h3>
              <p>
                From {lastMessage.from} ·{' '}
                <time dateTime={lastMessage.created_at} title={new Date(lastMessage.created_at).toString()}>
                  {new Date(lastMessage.created_at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
                </time>
              </p>
              <ul>
                {Object.entries(lastMessage.counts)
                  .filter(([, count]) => count > 0)
                  .map(([state, count]) => (
                    <li key={state}>
                      <b>{count.toLocaleString()}</b> {state}
                    </li>
                  ))}
              </ul>
            </div>
          </section>
        )}
        {trouble && lastMessage === null && (
          <p className="home-note">The last message could not be loaded: {trouble}</p>
        )}
      </div>
    </>
  )
}
