import { useCallback, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useApp } from '../app.ts'
import { ScreenHead } from '../shell/screen-head.tsx'
import { WidgetPlace } from '../shell/widget-place.tsx'

/** /dashboard/email_config: the mailboxes, and the form that connects one. */
export function ConfigsPage() {
  const { session, notify, sandbox } = useApp()
  const state = useSnapshot(sandbox.state)
  useEffect(() => void sandbox.look(), [sandbox])
  const isSandboxOn = state.sandbox === 'on'
  const mount = useCallback(
    async (element: HTMLElement) => {
      const { mountConfigManager } = await import('../../widgets/config-manager/config-manager-element.tsx')
      const focus = location.hash === '#add' ? 'add' : undefined
      return mountConfigManager(element, { session, notify, options: { sandbox: isSandboxOn, focus } })
    },
    [session, notify, isSandboxOn],
  )
  return (
    <>
      <ScreenHead title="Email Config">
        Mailboxes that you own. Each gets a secret key of its own for sending.
      </ScreenHead>
      {state.sandbox !== 'unknown' && <WidgetPlace mount={mount} />}
    </>
  )
}
