import { useCallback, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { AudienceRef, Launched, Mode } from '../../../widgets/compose/compose-state.ts'
import type { OpenPicker, StartContact } from '../../../widgets/compose/compose-types.ts'
import { useApp } from '../../app.ts'
import { readUndoSeconds } from '../../preferences.ts'
import { draftStorage } from '../../draft-storage.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { WidgetMount } from '../../shell/widget-mount.tsx'
import { rememberMode } from './remember-mode.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
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

/** The contacts that another screen opened this one for, once. */
function takeContacts(): readonly StartContact[] {
  const { contacts = [], ...state } = (history.state ?? {}) as { contacts?: StartContact[] }
  if (contacts.length > 0) history.replaceState(state, '')
  return contacts
}

/** What the address opens again: `message=` of a message that waits for its time, `campaign=` of one that has not started. */
function readSaved(): { kind: 'message' | 'campaign'; id: string } | null {
  const query = new URLSearchParams(location.search)
  for (const kind of ['message', 'campaign'] as const) {
    const id = query.get(kind)
    if (id !== null && /^[\w-]{1,40}$/.test(id)) return { kind, id }
  }
  return null
}

const modes: readonly Mode[] = ['text', 'design', 'html']

/** The mode that the address names, once; without one that which the person used last. */
function takeMode(last: Mode | undefined): Mode {
  const query = new URLSearchParams(location.search)
  const named = modes.find((mode) => mode === query.get('mode'))
  return named ?? modes.find((mode) => mode === last) ?? 'text'
}

async function keepOwnDraft(userId: string) {
  const { keepDrafts } = await import('../../../widgets/compose/drafts/draft-store.ts')
  return { drafts: keepDrafts(draftStorage(userId)) }
}

/** /dashboard/send_email: the composer, with drafts stored for the user. */
export function SendPage() {
  const t = useText()
  const { session, notify, go } = useApp()
  const { id: userId = '', email, preferences } = useSnapshot(session.state).user ?? {}
  const lastMode = useRef(preferences?.composer_mode)
  const mount = useCallback(
    async (element: HTMLElement) => {
      const saved = readSaved()
      const [{ mountCompose }, keeping] = await Promise.all([
        import('../../../widgets/compose/compose-element.tsx'),
        saved === null
          ? keepOwnDraft(userId)
          : import('./open-saved.ts').then(({ openSaved }) =>
              openSaved(saved, { session, notify, go, t: pageLanguage.t }),
            ),
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
        mode: takeMode(lastMode.current),
        onMode: (mode: Mode) => {
          lastMode.current = mode
          rememberMode(session, mode)
        },
        hasPreheader: true,
        loadSentSource: () => import('../../../widgets/compose/preview/sent-source.tsx'),
        ...keeping,
        configsHref: '/dashboard/email_config#add',
        suppressionsHref: '/dashboard/suppressions',
        launchedHref: ({ kind, id }: Launched) =>
          kind === 'campaign' ? `/dashboard/campaigns#${id}` : `/dashboard/messages#${id}`,
        openPicker,
        loadAudience: () => import('../../../widgets/compose/audience/audience-part.ts'),
        loadDesign: () => import('../../../widgets/compose/modes/design/design-body.tsx'),
        startAudience: takeAudience(),
        startContacts: takeContacts(),
        undoSeconds: readUndoSeconds,
        loadExtras: () => import('../../../widgets/compose/extras/extras.ts'),
        scheduledHref: '/dashboard/messages#scheduled',
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
