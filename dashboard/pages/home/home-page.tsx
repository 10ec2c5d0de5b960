import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useModule } from '../../../widgets/kit/use-module.ts'
import { useApp } from '../../app.ts'
import type { KeptDraft } from '../../../widgets/compose/drafts/draft-store.ts'
import { draftStorage } from '../../draft-storage.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { DaysPanel } from './days-panel.tsx'
import { createHomeStore } from './home-store.ts'
import { MailboxesPanel } from './mailboxes-panel.tsx'
import { SendsPanel } from './sends-panel.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** For new accounts only. */
const loadNextSteps = () => import('./next-steps.tsx')

/** /dashboard: the first steps of a new account, each mailbox with its quota, the last sends, and the last 30 days. */
export function HomePage() {
  const t = useText()
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const userId = user?.id ?? ''
  const [hasDraft] = useState(() => (draftStorage<KeptDraft>(userId).read()?.content.messageBody ?? '') !== '')
  const [store] = useState(() => createHomeStore(session, Intl.DateTimeFormat().resolvedOptions().timeZone))
  useEffect(() => store.start(), [store])
  const { configs, sends } = useSnapshot(store.state)
  const isKnown = configs.status === 'ready' && sends.status === 'ready'
  const hasSent = sends.value.some(({ kind, note }) => kind === 'message' || note !== 'draft')
  const isNew = isKnown && !hasSent
  const nextSteps = useModule(loadNextSteps, isNew)

  return (
    <>
      <ScreenHeader title={t('Dashboard')}>{user && t('Welcome, {name}.', { name: user.first_name })}</ScreenHeader>
      <div className="home">
        {isNew && nextSteps.module && (
          <nextSteps.module.NextSteps
            activeCount={configs.items.filter(({ status }) => status === 'active').length}
            isWritten={hasDraft || sends.value.length > 0}
          />
        )}
        <DaysPanel store={store} />
        <SendsPanel store={store} />
        <MailboxesPanel store={store} />
      </div>
    </>
  )
}
