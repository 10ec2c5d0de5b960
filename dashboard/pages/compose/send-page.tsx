import { useCallback } from 'react'
import { useSnapshot } from 'valtio'
import type { AudienceRef, Launched } from '../../../widgets/compose/compose-state.ts'
import type { OpenPicker } from '../../../widgets/compose/compose-types.ts'
import { useApp } from '../../app.ts'
import { draftStorage } from '../../draft-storage.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { WidgetMount } from '../../shell/widget-mount.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The list or segment that the address names, once: it is part of the draft afterwards. */
function takeAudience(): AudienceRef[] {
  const query = new URLSearchParams(location.search)
  const found = (['list', 'segment'] as const).flatMap((kind) =>
    query.getAll(kind).flatMap((id) => (/^\d{1,18}$/.test(id) ? [{ kind, id, name: '' }] : [])),
  )
  if (found.length > 0) history.replaceState(history.state, '', location.pathname + location.hash)
  return found
}

/** /dashboard/send_email: the composer, with drafts stored for the user. */
export function SendPage() {
  const t = useText()
  const { session, notify, go } = useApp()
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
      const openImport = async (file: File) => {
        const { createNewImportStore } = await import('../imports/new-import-store.ts')
        const imports = createNewImportStore(session, (id) => go(`/dashboard/imports/${id}`))
        await imports.take(file)
        const { problem } = imports.state
        if (problem !== null) notify({ kind: 'error', text: problem })
      }
      const options = {
        drafts: keepDrafts(draftStorage(userId)),
        configsHref: '/dashboard/email_config#add',
        suppressionsHref: '/dashboard/suppressions',
        launchedHref: ({ kind, id }: Launched) => (kind === 'campaign' ? `/dashboard/campaigns#${id}` : '/dashboard'),
        openPicker,
        loadAudience: () => import('../../../widgets/compose/audience/audience-part.ts'),
        startAudience: takeAudience(),
        openImport,
        ...(email !== undefined && { testAddress: email }),
      }
      return mountCompose(element, { session, notify, options })
    },
    [session, notify, go, userId, email],
  )
  return (
    <>
      <ScreenHeader title={t('Send Email')}>{t('One message, sent separately to each recipient.')}</ScreenHeader>
      <WidgetMount mount={mount} />
    </>
  )
}
