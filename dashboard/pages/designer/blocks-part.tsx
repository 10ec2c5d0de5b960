import { useSnapshot } from 'valtio'
import type { Design as DesignDocument } from '../../../contract/design/design.ts'
import { preheaderMaxChars } from '../../../contract/design/design.limits.ts'
import { isNewerDesign } from '../../../mail-design/migrate.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { SizeWarning } from '../../../widgets/compose/modes/design/size-warning.tsx'
import { useModule } from '../../../widgets/kit/use-module.ts'
import { useApp } from '../../app.ts'
import { FocusButton } from './focus-bar.tsx'
import type { DesignerStore } from './designer-store.ts'

const loadEditor = () => import('../../../widgets/compose/modes/design/design-mode.tsx')

/** The block editor, fetched when a template has blocks. */
export function BlocksPart({ store }: { store: DesignerStore }) {
  const t = useText()
  const { session } = useApp()
  const { document, body } = useSnapshot(store.state).design
  const { module: editor, retry } = useModule(loadEditor, true)
  if (document === null) return null
  if (editor) {
    const { DesignMode } = editor
    return (
      <div>
        <DesignMode
          session={session}
          design={document as DesignDocument}
          read={() => store.state.design.document}
          onDesign={store.writeDocument}
        />
        <SizeWarning html={body} />
      </div>
    )
  }
  if (retry)
    return (
      <section className="panel">
        <ErrorState title={t('The editor could not be loaded')} text={t('Check your connection.')} onRetry={retry} />
      </section>
    )
  return (
    <Skeleton>
      <div className="panel design-form">
        <Bone width="40%" />
        <Bone width="100%" />
      </div>
    </Skeleton>
  )
}

/** Design or HTML; a design of a newer version can only be read. */
export function ModeSwitch({ store }: { store: DesignerStore }) {
  const t = useText()
  const { document } = useSnapshot(store.state).design
  if (isNewerDesign(document))
    return (
      <Banner kind="info" title={t('The design of this template can only be read')}>
        {t(
          'A newer edition of the product has made it. Saving leaves the design as it is. To edit it, reload the page to get the newer edition.',
        )}
      </Banner>
    )
  return (
    <div className="design-mode">
      <Segmented
        label={t('Edit as')}
        options={[
          { value: 'design', text: t('Design') },
          { value: 'html', text: t('HTML') },
        ]}
        value={document === null ? 'html' : 'design'}
        onValue={store.setMode}
      />
      {document !== null && <FocusButton />}
    </div>
  )
}

/** The text behind the subject in the inbox; it is part of the design. */
export function PreheaderField({ store }: { store: DesignerStore }) {
  const t = useText()
  const { document } = useSnapshot(store.state, { sync: true }).design
  if (document === null || isNewerDesign(document)) return null
  return (
    <TextField
      label={t('Preheader')}
      value={document.preheader}
      maxLength={preheaderMaxChars}
      hint={t('Inboxes show it behind the subject.')}
      onValue={(preheader) => store.writeDocument({ ...(document as DesignDocument), preheader })}
    />
  )
}
