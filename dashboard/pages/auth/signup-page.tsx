import { useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { nameMaxChars, referralSources } from '../../../contract/account/account.limits.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { signupFailed } from '../../messages.ts'
import { TermsNotice } from './terms-notice.tsx'
import { GoogleButton } from './google-button.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SandboxNote } from '../sandbox/sandbox-note.tsx'
import { createSignupStore, type SignupForm } from './signup-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

const referralOptions = [
  { value: '', text: 'Choose one', isPrompt: true },
  ...referralSources.map((value) => ({ value, text: value })),
]
const emptyForm: SignupForm = { first_name: '', last_name: '', email: '', password: '', referral_source: '' }

/** /signup: creates an account; the browser checks required fields (spec §5). */
export function SignupPage() {
  const t = useText()
  const { session, go } = useApp()
  const [store] = useState(() => createSignupStore(session))
  const { status, failureCount, reason } = useSnapshot(store.state)
  const [form, setForm] = useState(emptyForm)
  const field = (name: keyof SignupForm) => ({
    name,
    value: form[name],
    onValue: (value: string) => setForm({ ...form, [name]: value }),
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void store.submit(form)
  }
  return (
    <div className="auth-page">
      <h1>{t('Create your account')}</h1>
      <form className="auth-card" method="post" aria-label={t('Create your account')} onSubmit={submit}>
        {failureCount > 0 && (
          <Banner key={failureCount} kind="error" title={t(signupFailed)}>
            {reason && <p>{t(reason)}</p>}
          </Banner>
        )}
        <div className="pair">
          <TextField
            {...field('first_name')}
            label={t('First name')}
            required
            maxLength={nameMaxChars}
            autoComplete="given-name"
          />
          <TextField
            {...field('last_name')}
            label={t('Last name')}
            required
            maxLength={nameMaxChars}
            autoComplete="family-name"
          />
        </div>
        <TextField {...field('email')} label={t('Email')} type="email" required autoComplete="username" />
        <NewPasswordField {...field('password')} label={t('Password')} />
        <SelectField
          {...field('referral_source')}
          label={t('How did you hear about us? (optional)')}
          options={referralOptions.map((one) => ({ ...one, text: t(one.text) }))}
        />
        <Button kind="primary" type="submit" busy={status === 'submitting'}>
          {t('Sign Up')}
        </Button>
        <GoogleButton>{t('Sign up with Google')}</GoogleButton>
      </form>
      <TermsNotice act={t('By creating an account')} />
      <p className="auth-footer">
        {richText(t, 'Have an account? {link}', { link: <a href="/login">{t('Sign in')}</a> })}
      </p>
      {status === 'created' && (
        <Dialog title={t('Account Created Successfully!')} onClosed={() => store.close()}>
          {(close) => (
            <>
              <p>
                {richText(t, 'We sent a confirmation link to {name}. Open it, then sign in.', {
                  name: <b>{form.email}</b>,
                })}
              </p>
              <SandboxNote />
              <DialogActions>
                <Button
                  kind="primary"
                  onClick={() => {
                    close()
                    go('/login')
                  }}
                >
                  {t('Go to Login')}
                </Button>
              </DialogActions>
            </>
          )}
        </Dialog>
      )}
    </div>
  )
}
