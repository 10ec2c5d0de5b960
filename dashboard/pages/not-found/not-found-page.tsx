import { Logo } from '../../shell/logo.tsx'
import { Postmark } from '../landing/postmark.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Shown for an unknown address: it runs no script and is sent with status 404. */
export function NotFoundPage() {
  const t = useText()
  return (
    <main className="not-found">
      <Logo />
      <Postmark ring={t('RETURN TO SENDER')} middle={['404', t('NOT HERE')]} />
      <h1>{t('Page not found')}</h1>
      <p>
        {richText(
          t,
          'The address is misspelled, or the page has moved. Go to the {home}, the {documentation} or your {dashboard}.',
          {
            home: <a href="/">{t('home page')}</a>,
            documentation: <a href="/docs">{t('documentation')}</a>,
            dashboard: <a href="/dashboard">{t('dashboard')}</a>,
          },
        )}
      </p>
    </main>
  )
}
