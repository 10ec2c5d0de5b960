import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Icon, type IconData } from '../../../widgets/kit/icon/icon.tsx'
import { check, circleCheck, circleX, lock, monitor, triangleAlert } from '../../../widgets/kit/icon/icons.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import type { EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import type { EmbedConsent } from '../../../contract/embed/embed-session.ts'
import { useApp } from '../../app.ts'
import { productName } from '../../content/product.ts'
import { Logo } from '../../shell/logo.tsx'
import { createConsentStore, readRequest, type ConsentStore } from './consent-store.ts'
import { scopeLabels } from './scope-labels.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** A press that was meant for the page below must not allow anything: the button waits this long after each showing. */
const armAfterMs = 600

/** /embed/authorize: a window of its own in which a person allows another site's page to use the workspace. */
export function ConsentPage() {
  const t = useText()
  const { session, go, wanted } = useApp()
  const { status, user, trouble } = useSnapshot(session.state)
  const isVisitor = status === 'visitor'
  useEffect(() => {
    document.title = `${t('Allow a page')} · ${productName}`
  }, [t])
  useEffect(() => {
    if (!isVisitor) return
    // Sign-in returns here in this window, so that the opener stays reachable.
    wanted.keep(location.pathname + location.search)
    go('/login', { replace: true })
  }, [isVisitor, go, wanted])
  return (
    <div className="centered-page consent">
      <header>
        <Logo />
      </header>
      {trouble !== null && user === null && (
        <main>
          <ErrorState title={t('Not signed in yet')} text={trouble} onRetry={() => void session.retry()} />
        </main>
      )}
      {user === null ? null : user.confirmed_email ? (
        <ConsentFlow email={user.email} />
      ) : (
        <ConsentMessage icon={triangleAlert} kind="expired" title={t('Check Your Email')}>
          {t('Confirm {email} first: open the link in the mail we sent you. Then connect again.', {
            email: user.email,
          })}
        </ConsentMessage>
      )}
    </div>
  )
}

function ConsentFlow({ email }: { email: string }) {
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() => {
    const request = readRequest(new URLSearchParams(location.search))
    return createConsentStore(session, request, { opener: window.opener as Window | null, close: () => window.close() })
  })
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error, consent } = useSnapshot(store.state)
  switch (status) {
    case 'malformed':
      return (
        <ConsentMessage icon={circleX} kind="failure" title={t('Invalid request')}>
          {t(
            'A parameter is missing from the address of this window. Close it and press the button in the page again.',
          )}
        </ConsentMessage>
      )
    case 'cut':
      return (
        <ConsentMessage icon={triangleAlert} kind="expired" title={t('The page cannot be reached')}>
          {richText(
            t,
            'You are signed in as {email}. Close this window and connect again from the page. If this happens again, the page isolates itself from the windows it opens. Its owner can send the header {code}, or open sessions on their own server.',
            { email, code: <code>Cross-Origin-Opener-Policy: same-origin-allow-popups</code> },
          )}
        </ConsentMessage>
      )
    case 'refused':
      return (
        <ConsentMessage icon={circleX} kind="failure" title={t('This page cannot be allowed')}>
          {error} <br />
          {t('Signed in as {email}.', { email })}
        </ConsentMessage>
      )
    case 'done':
      return (
        <ConsentMessage icon={circleCheck} kind="" title={t('Done')}>
          {t('You can close this window.')}
        </ConsentMessage>
      )
    case 'loading':
    case 'asking':
    case 'allowing':
      return consent === null ? (
        <main className="auth-card">
          <Skeleton>
            <Bone width="70%" />
            <Bone width="50%" />
            <Bone width="60%" />
          </Skeleton>
        </main>
      ) : (
        <ConsentForm
          store={store}
          consent={consent as EmbedConsent}
          email={email}
          error={error}
          isBusy={status === 'allowing'}
        />
      )
  }
}

interface QuestionProps {
  store: ConsentStore
  consent: EmbedConsent
  email: string
  error: string | null
  isBusy: boolean
}

function ConsentForm({ store, consent, email, error, isBusy }: QuestionProps) {
  const t = useText()
  const { session, wanted } = useApp()
  const isArmed = useActivationDelay()
  const { origin, mailboxes, limits, minutes, scopes } = consent
  const sends = scopes.includes('mail:send')
  return (
    <main className="auth-card" aria-labelledby="consent-title">
      <div>
        <h1 id="consent-title">{t('Allow this page?')}</h1>
        <p className="consent-origin">
          <Icon of={origin.startsWith('https:') ? lock : monitor} size={16} />
          <code>{origin}</code>
        </p>
        <p className="auth-intro">
          {t('It requests access to {workspace} through “{name}”. Allow it only if you opened this window there.', {
            workspace: consent.workspace,
            name: consent.embed.name,
          })}
        </p>
      </div>
      {error !== null && <Banner kind="error" title={error} />}
      <section aria-labelledby="consent-may">
        <h2 id="consent-may">{t('It may')}</h2>
        <ul className="consent-list">
          {scopes.filter(isTold).map((scope) => (
            <li key={scope}>
              <Icon of={check} size={16} />
              {t(scopeLabels[scope])}
            </li>
          ))}
        </ul>
      </section>
      {mailboxes.length > 0 && (
        <section aria-labelledby="consent-mailboxes">
          <h2 id="consent-mailboxes">{mailboxes.length === 1 ? t('With this mailbox') : t('With these mailboxes')}</h2>
          <ul className="consent-mailboxes">
            {mailboxes.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </section>
      )}
      <p className="consent-limits">
        {sends
          ? t('For {minutes} minutes, at most {messages} messages to {recipients} recipients.', { minutes, ...limits })
          : t('For {minutes} minutes.', { minutes })}{' '}
        {t('You can end the session at any time under Embeds.')}
      </p>
      <div className="consent-actions">
        <Button onClick={() => store.deny()}>{t('Cancel')}</Button>
        <Button kind="primary" busy={isBusy} disabled={!isArmed} onClick={() => void store.allow()}>
          {t('Allow')}
        </Button>
      </div>
      <p className="consent-who">
        {richText(t, 'Signed in as {email}. {button}', {
          email,
          button: (
            <button
              type="button"
              className="link"
              onClick={() => {
                wanted.keep(location.pathname + location.search)
                session.signOut()
              }}
            >
              {t('Not you?')}
            </button>
          ),
        })}
      </p>
    </main>
  )
}

function ConsentMessage({
  icon,
  kind,
  title,
  children,
}: {
  icon: IconData
  kind: string
  title: string
  children: ReactNode
}) {
  return (
    <main className={`auth-card view ${kind}`} role={kind === '' ? undefined : 'alert'}>
      <Icon of={icon} size={32} />
      <h1>{title}</h1>
      <p>{children}</p>
    </main>
  )
}

/** False for a moment after the window shows, and each time that it comes to the front. */
function useActivationDelay(): boolean {
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const arm = () => {
      clearTimeout(timer)
      setArmed(false)
      timer = setTimeout(() => setArmed(true), armAfterMs)
    }
    arm()
    window.addEventListener('focus', arm)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', arm)
    }
  }, [])
  return isArmed
}

/** The preview of a user's own message needs no consent. */
const isTold = (scope: EmbedScope) => scope !== 'mail:preview'
