import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { plus } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BackLink } from '../../kit/back-link.tsx'
import { useHash } from '../../kit/use-hash.ts'
import { EmbedForm } from './embed-form.tsx'
import { EmbedList } from './embed-list.tsx'
import { EmbedView } from './embed-view.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/embeds: the list, `#new` for a new embed, `#pk_…` for one of them. */
export function EmbedsPage() {
  const t = useText()
  const place = useHash()
  if (place.startsWith('pk_')) return <EmbedView key={place} id={place} />
  if (place === 'new') return <NewEmbed />
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Embeds')}>
          {t('The composer in your own pages, without a secret key in the page.')}
        </ScreenHeader>
        <ButtonLink href="#new" kind="primary" icon={plus}>
          {t('New embed')}
        </ButtonLink>
      </div>
      <EmbedList />
    </>
  )
}

function NewEmbed() {
  const t = useText()
  const { notify } = useApp()
  return (
    <>
      <BackLink>{t('All embeds')}</BackLink>
      <ScreenHeader title={t('New embed')}>
        {t('Choose the pages that may show it and what it may do. You can change all settings later.')}
      </ScreenHeader>
      <section className="panel embed-new" aria-label={t('New embed')}>
        <EmbedForm
          embed={null}
          onSaved={({ id }) => {
            notify({ kind: 'success', text: t('Embed created') })
            location.hash = id
          }}
        />
      </section>
    </>
  )
}
