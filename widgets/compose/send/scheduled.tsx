import { Banner } from '../../kit/feedback/banner.tsx'
import { useText } from '../../kit/text/text.tsx'
import { scheduled } from '../../lib/send-messages.ts'
import type { ComposeStore } from '../compose-types.ts'

/** The alert of a message that waits for its time. */
export function Scheduled({ store, at }: { store: ComposeStore; at: string }) {
  const t = useText()
  const time = new Date(at).toLocaleString(t.lang, { dateStyle: 'full', timeStyle: 'short' })
  return (
    <Banner kind="success" title={t(scheduled)}>
      <p>
        {t('It leaves {time}.', { time })}
        {store.scheduledHref && (
          <>
            {' '}
            <a href={store.scheduledHref}>{t('Show scheduled messages')}</a>
          </>
        )}
      </p>
    </Banner>
  )
}
