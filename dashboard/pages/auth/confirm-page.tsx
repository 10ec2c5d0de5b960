import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button, ButtonLink, Spinner } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { circleAlert, circleCheck, clock } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { supportEmail } from '../../content/product.ts'
import { createConfirmStore, type ConfirmStore } from './confirm-store.ts'
import { readPathToken } from './path-token.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** /email_confirm/{token}: confirms at once, and shows how that went in one of four views. */
export function ConfirmPage() {
  const { session } = useApp()
  const [store] = useState(() => createConfirmStore(session, readPathToken()))
  useEffect(() => void store.confirm(), [store])
  const { view } = useSnapshot(store.state)
  const View = views[view]
  return (
    <div className="auth-page">
      <div className={`auth-card view ${view}`} aria-live="polite">
        <View store={store} />
      </div>
    </div>
  )
}

interface ViewProps {
  store: ConfirmStore
}

function Loading() {
  const t = useText()
  return (
    <>
      <span className="view-spinner">
        <Spinner />
      </span>
      <h1>{t('Confirming Your Email')}</h1>
      <p>{t('please wait while we verify your email address')}</p>
    </>
  )
}

function Success({ store }: ViewProps) {
  const t = useText()
  const { message } = useSnapshot(store.state)
  return (
    <>
      <Icon of={circleCheck} size={36} />
      <h1>{t('Email Confirmed!')}</h1>
      <p>{t(message)}</p>
      <div className="view-actions">
        <ButtonLink kind="primary" href="/login">
          {t('Login Now !')}
        </ButtonLink>
        <BackHome />
      </div>
    </>
  )
}

function Failure({ store }: ViewProps) {
  const t = useText()
  const { go } = useApp()
  const { message } = useSnapshot(store.state)
  return (
    <>
      <Icon of={circleAlert} size={36} />
      <h1>{t('Confirmation Failed')}</h1>
      <p role="alert">{t(message)}</p>
      <div className="view-actions">
        <Button kind="primary" onClick={() => void store.confirm()}>
          {t('Try Again')}
        </Button>
        <Button onClick={() => go('/login')}>{t('Back to Login')}</Button>
      </div>
      <p className="view-note">
        {richText(t, 'Still not confirmed? Write to {link}.', {
          link: <a href={`mailto:${supportEmail}`}>{supportEmail}</a>,
        })}
      </p>
    </>
  )
}

function Expired({ store }: ViewProps) {
  const t = useText()
  const { message, resending } = useSnapshot(store.state)
  const isSending = resending === 'sending'
  return (
    <>
      <Icon of={clock} size={36} />
      <h1>{t('Link Expired')}</h1>
      <p role="alert">{t(message)}</p>
      <div className="view-actions">
        <Button kind="primary" busy={isSending} onClick={() => void store.resend()}>
          {isSending ? t('Sending...') : t('Send New Confirmation')}
        </Button>
        <BackHome />
      </div>
      <p className="view-note">{t('Tip: if it does not arrive, check your spam or promotions folder.')}</p>
    </>
  )
}

function BackHome() {
  const t = useText()
  const { go } = useApp()
  return <Button onClick={() => go('/')}>{t('Back to Home')}</Button>
}

const views = { loading: Loading, success: Success, failure: Failure, expired: Expired }
