import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { CallOptions } from '../../../client/core/http.ts'
import { listBounces } from '../../../client/inbox/bounce.ts'
import { getMessage } from '../../../client/mail/message.ts'
import type { MessageDelivery } from '../../../contract/mail/message.ts'
import { createProgressStore } from '../../../widgets/compose/progress/progress-store.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import { useLoaded } from '../../kit/use-loaded.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BounceList } from '../bounces/bounce-list.tsx'
import { MessageRecipients } from './message-recipients.tsx'
import { SentMail } from './sent-mail.tsx'

/** A message: the state of each recipient, and the mail as it was sent. */
export function MessageView({ id }: { id: string }) {
  const t = useText()
  const { session } = useApp()
  const load = useCallback((options: CallOptions) => getMessage(session, id, { limit: 1 }, options), [session, id])
  const { loaded, reload } = useLoaded(load)
  const message = loaded.status === 'ready' ? loaded.value : null
  return (
    <>
      <BackLink>{t('All messages')}</BackLink>
      <ScreenHeader title={message ? message.subject || t('No subject') : t('Message')}>
        {message && (
          <>
            <span translate="no">{message.from}</span> · <Time iso={message.created_at} isDated />
          </>
        )}
      </ScreenHeader>
      {message ? (
        <Parts id={id} />
      ) : (
        <section className="panel" aria-label={t('Message')}>
          {loaded.status === 'failed' ? (
            <ErrorState level={2} title={t('The message could not be loaded')} text={loaded.error} onRetry={reload} />
          ) : (
            <SkeletonRows widths={['46%']} second="70%" />
          )}
        </section>
      )}
    </>
  )
}

/** Its recipients, live, and the mail to the chosen one. */
function Parts({ id }: { id: string }) {
  const { session } = useApp()
  const loadBounces = useCallback((options: CallOptions) => listBounces(session, id, options), [session, id])
  const [store] = useState(() => createProgressStore(session, { kind: 'message', id }))
  useEffect(() => {
    return store.start()
  }, [store])
  const { rows, subject } = useSnapshot(store.state)
  const deliveries = rows as readonly Pick<MessageDelivery, 'id' | 'recipient'>[]
  return (
    <>
      <MessageRecipients store={store} />
      <BounceList load={loadBounces} />
      {subject !== null && <SentMail id={id} deliveries={deliveries} />}
    </>
  )
}
