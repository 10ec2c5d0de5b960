import { useEffect, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { PasswordField } from '../../../widgets/kit/form/password-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { reset as messages } from '../../messages.ts'
import { focusField } from './focus-field.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { createNewPasswordStore, createResetRequestStore } from './reset-store.ts'
import { SandboxNote } from '../sandbox/sandbox-note.tsx'
import { readPathToken } from './path-token.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /forgot_password: requests a link, and sets a new password with the token of one (spec §2). */
export function ResetPage({ token }: { token?: string }) {
  return (
    <div className="auth-page">{token === undefined ? <RequestForm /> : <PasswordForm token={readPathToken()} />}</div>
  )
}

function RequestForm() {
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() => createResetRequestStore(session))
  const { status, requestCount, error, failureCount } = useSnapshot(store.state)
  const [email, setEmail] = useState('')
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void store.submit(email).then(() => focusField(form, store.state.field))
  }
  return (
    <>
      <h1>{t('Forgot your password?')}</h1>
      <form className="auth-card" method="post" noValidate aria-label={t('Reset your password')} onSubmit={submit}>
        {requestCount > 0 ? (
          <>
            <Banner key={requestCount} kind="success" title={t(messages.requested)}>
              <p>{t('The link is valid for 30 minutes. No mail? Check your spam folder.')}</p>
            </Banner>
            <SandboxNote />
          </>
        ) : (
          <p className="auth-intro">{t('Enter your email address. We send you a link to set a new password.')}</p>
        )}
        {error !== null && <Banner key={failureCount} kind="error" title={t(error)} />}
        <TextField
          label={t('Email')}
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onValue={setEmail}
        />
        <Button kind="primary" type="submit" busy={status === 'submitting'}>
          {requestCount > 0 ? t('Send again') : t('Send reset link')}
        </Button>
      </form>
      <p className="auth-footer">
        <a href="/login">{t('Back to sign in')}</a>
      </p>
    </>
  )
}

function PasswordForm({ token }: { token: string }) {
  const t = useText()
  const { session, go } = useApp()
  const [store] = useState(() =>
    createNewPasswordStore({ session, token, onDone: () => go('/login', { replace: true }) }),
  )
  const { status, error, failureCount, hint, link, problem } = useSnapshot(store.state)
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  useEffect(() => {
    return store.stop
  }, [store])
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void store.submit(password, confirmation).then(() => focusField(form, store.state.problem?.field ?? null))
  }
  const problemOf = (field: 'new_password' | 'confirmation') => (problem?.field === field ? t(problem.sentence) : null)
  return (
    <>
      <h1>{t('Choose a new password')}</h1>
      <form className="auth-card" method="post" noValidate aria-label={t('Choose a new password')} onSubmit={submit}>
        {status === 'updated' && <Banner kind="success" title={t(messages.updated)} />}
        {error !== null && (
          <Banner key={failureCount} kind="error" title={t(error)}>
            {hint && <p>{t(hint)}</p>}
            {link === 'ended' && (
              <p>
                <a href="/forgot_password">{t('Request a new link')}</a>
              </p>
            )}
          </Banner>
        )}
        <NewPasswordField
          label={t('New password')}
          name="new_password"
          problem={problemOf('new_password')}
          value={password}
          onValue={setPassword}
        />
        <PasswordField
          label={t('Confirm password')}
          name="confirmation"
          required
          autoComplete="new-password"
          problem={problemOf('confirmation')}
          value={confirmation}
          onValue={setConfirmation}
        />
        <Button kind="primary" type="submit" busy={status === 'submitting'} disabled={status === 'updated'}>
          {t('Update password')}
        </Button>
      </form>
      <p className="auth-footer">
        <a href="/login">{t('Back to sign in')}</a>
      </p>
    </>
  )
}
