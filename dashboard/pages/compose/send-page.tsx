import { useCallback } from 'react'
import { useSnapshot } from 'valtio'
import type { Launched } from '../../../widgets/compose/compose-state.ts'
import type { OpenPicker } from '../../../widgets/compose/compose-types.ts'
import { useApp } from '../../app.ts'
import { draftStorage } from '../../draft-storage.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { WidgetMount } from '../../shell/widget-mount.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/send_email: the composer, with drafts stored for the user. */
export function SendPage() {
  const t = useText()
  const { session, notify } = useApp()
  const { id: userId = '', email } = useSnapshot(session.state).user ?? {}
  const mount = useCallback(
    async (element: HTMLElement) => {
      const [{ mountCompose }, { keepDrafts }] = await Promise.all([
        import('../../../widgets/compose/compose-element.tsx'),
        import('../../../widgets/compose/drafts/draft-store.ts'),
      ])
      const openPicker: OpenPicker = async (place, options) => {
        const { mountTemplatePicker } = await import('../../../widgets/template-picker/template-picker-element.tsx')
        return mountTemplatePicker(place, { session, notify, options })
      }
      const options = {
        drafts: keepDrafts(draftStorage(userId)),
        configsHref: '/dashboard/email_config#add',
        suppressionsHref: '/dashboard/suppressions',
        launchedHref: ({ kind, id }: Launched) => (kind === 'campaign' ? `/dashboard/campaigns#${id}` : '/dashboard'),
        openPicker,
        ...(email !== undefined && { testAddress: email }),
      }
      return mountCompose(element, { session, notify, options })
    },
    [session, notify, userId, email],
  )
  return (
    <>
      <ScreenHeader title={t('Send Email')}>{t('One message, sent separately to each recipient.')}</ScreenHeader>
      <WidgetMount mount={mount} />
    </>
  )
}
