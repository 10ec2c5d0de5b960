import { useCallback, useState } from 'react'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { WidgetMount } from '../../shell/widget-mount.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/email_config: the mailboxes, and the form that connects one. Providers lead back here after a sign-in. */
export function MailboxesPage() {
  const t = useText()
  const { session, notify, sandbox } = useApp()
  const [signIn] = useState(() => ({ go: (url: string) => location.assign(url), returned: takeReturned() }))
  const mount = useCallback(
    async (element: HTMLElement) => {
      const [{ mountConfigManager }, isSandboxOn] = await Promise.all([
        import('../../../widgets/config-manager/config-manager-element.tsx'),
        sandbox.check(),
      ])
      const focus = location.hash === '#add' ? 'add' : undefined
      return mountConfigManager(element, { session, notify, options: { sandbox: isSandboxOn, focus, signIn } })
    },
    [session, notify, sandbox, signIn],
  )
  return (
    <>
      <ScreenHeader title={t('Email Config')}>{t('Your mailboxes. Each has a secret key for the API.')}</ScreenHeader>
      <WidgetMount mount={mount} />
      <ReadingPanel />
    </>
  )
}

/** The result of a provider's sign-in; removed from the address at once, so that it is not read or repeated. */
function takeReturned(): { code: string; state: string } | 'refused' | null {
  const query = new URLSearchParams(location.search)
  const [code, state] = [query.get('code'), query.get('state')]
  if (!query.has('error') && (code === null || state === null)) return null
  history.replaceState(history.state, '', location.pathname)
  return code !== null && state !== null && !query.has('error') ? { code, state } : 'refused'
}
