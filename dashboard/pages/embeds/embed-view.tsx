import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { pause, play, trash } from '../../../widgets/kit/icon/icons.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import type { Embed } from '../../../contract/embed/embed.ts'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BackLink } from '../../kit/back-link.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { DeleteEmbedDialog } from './delete-embed-dialog.tsx'
import { EmbedForm } from './embed-form.tsx'
import { EmbedLog } from './embed-log.tsx'
import { EmbedPreview } from './embed-preview.tsx'
import { EmbedSessions } from './embed-sessions.tsx'
import { EmbedSnippet } from './embed-snippet.tsx'
import { createEmbedStore } from './embed-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** One embed: snippet, preview, sessions, activity and settings. */
export function EmbedView({ id }: { id: string }) {
  const t = useText()
  const { session, notify } = useApp()
  const [store] = useState(() =>
    createEmbedStore({
      session,
      notify,
      id,
      onDeleted: () => {
        notify({ kind: 'success', text: t('Embed deleted') })
        location.hash = 'all'
      },
    }),
  )
  useEffect(() => {
    const stop = store.start()
    // Sessions change while the tab is hidden.
    const look = () => void Promise.all([store.loadSessions(), store.loadAudit()])
    window.addEventListener('focus', look)
    return () => {
      window.removeEventListener('focus', look)
      stop()
    }
  }, [store])
  const [dialog, setDialog] = useState<'none' | 'delete'>('none')
  const { status, error, embed, isPausing } = useSnapshot(store.state)

  if (embed === null) {
    return (
      <>
        <BackLink>{t('All embeds')}</BackLink>
        <ScreenHeader title={t('Embed')} />
        <section className="panel" aria-label={t('Embed')}>
          {status === 'failed' ? (
            <ErrorState title={t('The embed could not be loaded')} text={error} onRetry={() => void store.load()} />
          ) : (
            <SkeletonRows widths={['60%', '80%', '40%']} />
          )}
        </section>
      </>
    )
  }
  const isPaused = embed.status === 'paused'
  return (
    <>
      <BackLink>{t('All embeds')}</BackLink>
      <div className="screen-top">
        <ScreenHeader title={embed.name}>
          {t('{number} of {limit} recipients today', {
            number: embed.recipients_today,
            limit: embed.limits.recipients_per_day,
          })}
        </ScreenHeader>
        <div className="screen-actions">
          <Button
            icon={isPaused ? play : pause}
            busy={isPausing}
            onClick={() => void store.setStatus(isPaused ? 'active' : 'paused')}
          >
            {isPaused ? t('Resume') : t('Pause')}
          </Button>
          <Button icon={trash} onClick={() => setDialog('delete')}>
            {t('Delete')}
          </Button>
        </div>
      </div>
      {isPaused && (
        <Banner kind="warn" title={t('This embed is paused')}>
          <p>{t('Its sessions have ended. Its pages show the content of the element instead.')}</p>
        </Banner>
      )}
      <div className="embed">
        <div className="embed-main">
          <EmbedSnippet embed={embed as Embed} />
          <EmbedPreview key={previewKey(embed as Embed)} embed={embed as Embed} />
          <EmbedSessions store={store} />
          <EmbedLog store={store} />
        </div>
        <section className="panel" aria-labelledby="embed-settings">
          <h2 id="embed-settings">{t('Settings')}</h2>
          <EmbedForm
            embed={embed as Embed}
            onSaved={(saved) => {
              store.take(saved)
              notify({ kind: 'success', text: t('Embed saved') })
            }}
          />
        </section>
      </div>
      {dialog === 'delete' && <DeleteEmbedDialog name={embed.name} store={store} onClosed={() => setDialog('none')} />}
    </>
  )
}

/** Key of the preview: a change restarts it. */
function previewKey({ widgets, config_ids: mailboxIds, status }: Embed): string {
  return JSON.stringify([widgets, mailboxIds, status])
}
