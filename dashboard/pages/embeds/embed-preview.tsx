import { useCallback, useState } from 'react'
import { openEmbedSession } from '../../../client/embed/embed-session.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import type { Embed } from '../../../contract/embed/embed.ts'
import type { EmbedWidget } from '../../../contract/embed/embed-scopes.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { useApp } from '../../app.ts'
import { WidgetMount } from '../../shell/widget-mount.tsx'
import { widgetLabels } from './scope-labels.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

type Mount = (element: HTMLElement, parts: { session: Session; notify: Notify }) => () => void

/** The widgets as a page of another site gets them. */
const mounts: Readonly<Record<EmbedWidget, () => Promise<Mount>>> = {
  compose: async () => (await import('../../../widgets/compose/compose-element.tsx')).mountCompose,
  'template-picker': async () =>
    (await import('../../../widgets/template-picker/template-picker-element.tsx')).mountTemplatePicker,
  'config-manager': async () =>
    (await import('../../../widgets/config-manager/config-manager-element.tsx')).mountConfigManager,
}

/** The embed at work: with a session of its own, as in the page it is for. */
export function EmbedPreview({ embed }: { embed: Embed }) {
  const t = useText()
  const [widget, setWidget] = useState(embed.widgets[0])
  const options = embed.widgets.map((value) => ({ value, text: t(widgetLabels[value].name) }))
  if (widget === undefined) return null
  return (
    <section className="panel" aria-labelledby="embed-preview">
      <div className="panel-head">
        <h2 id="embed-preview">{t('Live preview')}</h2>
        {options.length > 1 && <Segmented label={t('Widget')} options={options} value={widget} onValue={setWidget} />}
      </div>
      <div className="embed-stage">
        {embed.status === 'paused' ? (
          <p className="embed-none">{t('Resume the embed to see its preview.')}</p>
        ) : (
          <PreviewWidget key={widget} embed={embed} widget={widget} />
        )}
      </div>
      <p className="embed-note">{t('This is a real session: messages sent here are delivered.')}</p>
    </section>
  )
}

type StageState = { status: 'running' } | { status: 'ended' } | { status: 'failed'; error: string }

function PreviewWidget({ embed, widget }: { embed: Embed; widget: EmbedWidget }) {
  const t = useText()
  const { session, notify } = useApp()
  const [state, setState] = useState<StageState>({ status: 'running' })
  const [run, setRun] = useState(0)
  const mount = useCallback(
    async (element: HTMLElement) => {
      try {
        const [opened, load] = await Promise.all([
          openEmbedSession(session, { embed_id: embed.id, origin: location.origin, user_ref: 'preview' }),
          mounts[widget](),
        ])
        const ofEmbed: Session = {
          apiBase: session.apiBase,
          token: () => opened.session_token,
          rejected: () => setState({ status: 'ended' }),
          shared: new Map(),
        }
        return load(element, { session: ofEmbed, notify })
      } catch (error) {
        setState({ status: 'failed', error: errorText(error) ?? '' })
        return nothing
      }
    },
    [session, notify, embed.id, widget],
  )
  const again = () => {
    setState({ status: 'running' })
    setRun(run + 1)
  }
  if (state.status === 'failed') {
    return <ErrorState title={t('The preview could not be started')} text={state.error} onRetry={again} />
  }
  return (
    <>
      {state.status === 'ended' && (
        <Banner kind="warn" title={t('The session of this preview has ended')}>
          <Button size="small" onClick={again}>
            {t('Start again')}
          </Button>
        </Banner>
      )}
      <WidgetMount key={run} mount={mount} />
    </>
  )
}

const nothing = () => undefined
