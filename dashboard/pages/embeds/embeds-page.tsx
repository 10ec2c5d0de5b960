import { useSyncExternalStore } from 'react'
import { ButtonLink } from '../../../widgets/kit/button.tsx'
import { plus } from '../../../widgets/kit/icons.ts'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BackToEmbeds } from './back-to-embeds.tsx'
import { EmbedForm } from './embed-form.tsx'
import { EmbedList } from './embed-list.tsx'
import { EmbedView } from './embed-view.tsx'

/** /dashboard/embeds: the list, `#new` for a new embed, `#pk_…` for one of them. */
export function EmbedsPage() {
  const place = useSyncExternalStore(
    followHash,
    () => location.hash.slice(1),
    () => '',
  )
  if (place.startsWith('pk_')) return <EmbedView key={place} id={place} />
  if (place === 'new') return <NewEmbed />
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title="Embeds">The composer in your own pages, without a secret key in the page.</ScreenHeader>
        <ButtonLink href="#new" kind="primary" icon={plus}>
          New embed
        </ButtonLink>
      </div>
      <EmbedList />
    </>
  )
}

function NewEmbed() {
  const { notify } = useApp()
  return (
    <>
      <BackToEmbeds />
      <ScreenHeader title="New embed">
        Choose the pages that may show it and what it may do. You can change all settings later.
      </ScreenHeader>
      <section className="panel embed-new" aria-label="New embed">
        <EmbedForm
          embed={null}
          onSaved={({ id }) => {
            notify({ kind: 'success', text: 'Embed created' })
            location.hash = id
          }}
        />
      </section>
    </>
  )
}

function followHash(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}
