import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { passwordMinChars } from '../../../contract/core/limits.ts'
import { Banner } from '../../../widgets/kit/banner.tsx'
import { Button } from '../../../widgets/kit/button.tsx'
import { PasswordField } from '../../../widgets/kit/password-field.tsx'
import { TextField } from '../../../widgets/kit/text-field.tsx'
import { useApp } from '../../app.ts'
import { login as messages } from '../../messages.ts'
import { CheckEmailDialog } from './check-email-dialog.tsx'
import { focusField } from './focus-field.ts'
import { TermsNotice } from './terms-notice.tsx'
import { GoogleButton } from './google-button.tsx'
import { createLoginStore } from './login-store.ts'

/** /login: sign in with email and password, or with Google. */
export function LoginPage() {
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
      <h1>Sign in</h1>
      {/* Posted, were it sent without our script: a password must not get into an address. */}
      <form className="auth-card" method="post" noValidate aria-label="Sign in" onSubmit={submit}>
        <div role="status">{status === 'proving' && <Banner kind="info" title={messages.proving} />}</div>
        {error !== null && status !== 'proving' && (
          <Banner key={failureCount} kind="error" title={error}>
            {hint && <p>{hint}</p>}
          </Banner>
        )}
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onValue={setEmail}
        />
        <PasswordField
          label="Password"
          name="password"
          required
          minLength={passwordMinChars}
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
        <Button kind="primary" type="submit" busy={isSubmitting}>
          Sign In
        </Button>
        <p className="auth-aside">
          <a href="/forgot_password">Forgot your password?</a>
        </p>
        <GoogleButton>Sign in with Google</GoogleButton>
      </form>
      <TermsNotice act="A first sign-in with Google creates an account; by it" />
      <p className="auth-footer">
        New here? <a href="/signup">Sign up free</a>
      </p>
      {status === 'unconfirmed' && <CheckEmailDialog email={email} onClosed={() => store.closeNotice()} />}
    </div>
  )
}
