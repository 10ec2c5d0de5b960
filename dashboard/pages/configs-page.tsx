import { useCallback } from 'react'
import { useApp } from '../app.ts'
import { ScreenHead } from '../shell/screen-head.tsx'
import { WidgetPlace } from '../shell/widget-place.tsx'

/** /dashboard/email_config: the mailboxes, and the form that connects one. */
export function ConfigsPage() {
  const { session, notify, sandbox } = useApp()
  const mount = useCallback(
    async (element: HTMLElement) => {
      const [{ mountConfigManager }, isSandboxOn] = await Promise.all([
        import('../../widgets/config-manager/config-manager-element.tsx'),
        sandbox.look(),
      ])
      const focus = location.hash === '#add' ? 'add' : undefined
      return mountConfigManager(element, { session, notify, options: { sandbox: isSandboxOn, focus } })
    },
    [session, notify, sandbox],
  )
  return (
    <>
      <ScreenHead title="Email Config">
        Mailboxes that you own. Each gets a secret key of its own for sending.
      </ScreenHead>
      <WidgetPlace mount={mount} />
    </>
  )
}
