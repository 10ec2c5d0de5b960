import { useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { nameMaxChars, referralSources } from '../../../contract/core/limits.ts'
import { Banner } from '../../../widgets/kit/banner.tsx'
import { Button } from '../../../widgets/kit/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/dialog.tsx'
import { SelectField } from '../../../widgets/kit/select-field.tsx'
import { TextField } from '../../../widgets/kit/text-field.tsx'
import { useApp } from '../../app.ts'
import { signupFailed } from '../../messages.ts'
import { TermsNotice } from './terms-notice.tsx'
import { GoogleButton } from './google-button.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SandboxNote } from '../sandbox/sandbox-note.tsx'
import { createSignupStore, type SignupForm } from './signup-store.ts'

const referralOptions = [
  { value: '', text: 'Choose one', isPrompt: true },
  ...referralSources.map((value) => ({ value, text: value })),
]
const emptyForm: SignupForm = { first_name: '', last_name: '', email: '', password: '', referral_source: '' }

/** /signup: make an account; what is required is checked by the browser (spec §5). */
export function SignupPage() {
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
      <h1>Create your account</h1>
      <form className="auth-card" method="post" aria-label="Create your account" onSubmit={submit}>
        {failureCount > 0 && (
          <Banner key={failureCount} kind="error" title={signupFailed}>
            {reason && <p>{reason}</p>}
          </Banner>
        )}
        <div className="pair">
          <TextField
            {...field('first_name')}
            label="First name"
            required
            maxLength={nameMaxChars}
            autoComplete="given-name"
          />
          <TextField
            {...field('last_name')}
            label="Last name"
            required
            maxLength={nameMaxChars}
            autoComplete="family-name"
          />
        </div>
        <TextField {...field('email')} label="Email" type="email" required autoComplete="username" />
        <NewPasswordField {...field('password')} label="Password" />
        <SelectField
          {...field('referral_source')}
          label="How did you hear about us? (optional)"
          options={referralOptions}
        />
        <Button kind="primary" type="submit" busy={status === 'submitting'}>
          Sign Up
        </Button>
        <GoogleButton>Sign up with Google</GoogleButton>
      </form>
      <TermsNotice act="By creating an account" />
      <p className="auth-footer">
        Have an account? <a href="/login">Sign in</a>
      </p>
      {status === 'created' && (
        <Dialog title="Account Created Successfully!" onClosed={() => store.close()}>
          {(close) => (
            <>
              <p>
                We sent a confirmation link to <b>{form.email}</b>. Open it, then sign in.
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
                  Go to Login
                </Button>
              </DialogActions>
            </>
          )}
        </Dialog>
      )}
    </div>
  )
}
