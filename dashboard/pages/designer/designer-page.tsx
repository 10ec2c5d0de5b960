import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { useApp } from '../../app.ts'
import { draftStorage } from '../../draft-storage.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { Designer } from './designer.tsx'
import { css } from './designer.css'
import { FocusBar, useFocusLayout } from './focus-bar.tsx'
import { createDesignerStore } from './designer-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const sheet = createSheet(css)

/** /dashboard/create: makes a template, or edits the one whose id the navigation state holds (spec §2). */
export function DesignerPage() {
  const t = useText()
  useSheet(sheet)
  const { session, notify, go } = useApp()
  const userId = useSnapshot(session.state).user?.id ?? ''
  const [store] = useState(() =>
    createDesignerStore({
      session,
      notify,
      userId,
      localDraft: (name) => draftStorage(`${userId}:${name}`),
      templateId: templateIdOf(history.state),
      onCreated: () => go('/dashboard/templates', { replace: true }),
    }),
  )
  useEffect(() => () => store.close(), [store])
  const { phase, error, mode, design } = useSnapshot(store.state)
  const hasBlocks = design.document !== null
  const isFocus = useFocusLayout(hasBlocks)
  return (
    <>
      {isFocus && <FocusBar store={store} />}
      {!isFocus && (
        <ScreenHeader title={mode === 'edit' ? t('Edit Template') : t('New Template')}>
          {mode === 'copy'
            ? t('A copy of a global template. The original does not change.')
            : hasBlocks
              ? t('Write it once. Variables are replaced for each recipient.')
              : t('Write it once, in HTML. {variables} are replaced for each recipient.', { variables: '{{names}}' })}
        </ScreenHeader>
      )}
      {phase === 'ready' && <Designer store={store} />}
      {phase === 'loading' && <DesignerBones />}
      {phase === 'failed' && (
        <section className="panel">
          <ErrorState title={t('The template could not be loaded')} text={error} onRetry={() => void store.reload()} />
        </section>
      )}
    </>
  )
}

function templateIdOf(state: unknown): string | null {
  const { template } = (state ?? {}) as { template?: { id?: unknown } }
  return typeof template?.id === 'string' ? template.id : null
}

function DesignerBones() {
  return (
    <Skeleton>
      <div className="designer">
        <div className="panel design-form">
          <Bone width="30%" />
          <Bone width="100%" />
          <Bone width="30%" />
          <Bone width="70%" />
        </div>
        <div className="panel design-form" />
      </div>
    </Skeleton>
  )
}
