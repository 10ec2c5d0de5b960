import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { passwordMinChars } from '../../../contract/account/account.limits.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { PasswordField } from '../../../widgets/kit/form/password-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { login as messages } from '../../messages.ts'
import { CheckEmailDialog } from './check-email-dialog.tsx'
import { focusField } from './focus-field.ts'
import { TermsNotice } from './terms-notice.tsx'
import { GoogleButton } from './google-button.tsx'
import { createLoginStore } from './login-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** /login: sign in with email and password, or with Google. */
export function LoginPage() {
  const t = useText()
  const { session, go, wanted } = useApp()
  const [store] = useState(() => createLoginStore({ session, onSuccess: () => go(wanted.take(), { replace: true }) }))
  const { status, error, failureCount, hint } = useSnapshot(store.state)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const isOpened = useRef(false)

  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    const query = new URLSearchParams(location.search)
    // A token must not stay in the address, the history or a referrer.
    if (query.size > 0) history.replaceState(history.state, '', location.pathname)
    void store.open(query)
  }, [store])

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void store.submit(email, password).then(() => focusField(form, store.state.field))
  }
  const isSubmitting = status === 'submitting' || status === 'proving'
  return (
    <div className="auth-page">
      <h1>{t('Sign in')}</h1>
      {/* Posted, were it sent without our script: a password must not get into an address. */}
      <form className="auth-card" method="post" noValidate aria-label={t('Sign in')} onSubmit={submit}>
        <div role="status">{status === 'proving' && <Banner kind="info" title={t(messages.proving)} />}</div>
        {error !== null && status !== 'proving' && (
          <Banner key={failureCount} kind="error" title={t(error)}>
            {hint && <p>{t(hint)}</p>}
          </Banner>
        )}
        <TextField
          label={t('Email')}
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onValue={setEmail}
        />
        <PasswordField
          label={t('Password')}
          name="password"
          required
          minLength={passwordMinChars}
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
        <Button kind="primary" type="submit" busy={isSubmitting}>
          {t('Sign In')}
        </Button>
        <p className="auth-aside">
          <a href="/forgot_password">{t('Forgot your password?')}</a>
        </p>
        <GoogleButton>{t('Sign in with Google')}</GoogleButton>
      </form>
      <TermsNotice act={t('A first sign-in with Google creates an account; by it')} />
      <p className="auth-footer">
        {richText(t, 'New here? {link}', { link: <a href="/signup">{t('Sign up free')}</a> })}
      </p>
      {status === 'unconfirmed' && <CheckEmailDialog email={email} onClosed={() => store.closeNotice()} />}
    </div>
  )
}
