import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { changePassword } from '../../../client/account/profile.ts'
import { passwordMinChars } from '../../../contract/account/account.limits.ts'
import { PasswordField } from '../../../widgets/kit/form/password-field.tsx'
import { useApp } from '../../app.ts'
import { login, reset } from '../../messages.ts'
import { NewPasswordField } from '../auth/new-password-field.tsx'
import { createFormStore } from './form-store.ts'
import { ProfileForm } from './profile-form.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Sets another password; the present one is asked for, and every other session ends. */
export function PasswordPanel() {
  const t = useText()
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const [store] = useState(() =>
    createFormStore({
      initial: { current_password: '', new_password: '', confirmation: '' },
      check: problemsOf,
      save: async ({ current_password, new_password }) => {
        await changePassword(session, { current_password, new_password })
      },
      isEmptiedWhenSaved: true,
    }),
  )
  return (
    <section className="panel" aria-labelledby="profile-password">
      <h2 id="profile-password">{t('Password')}</h2>
      {user?.has_password === false ? (
        <p className="profile-text">
          {richText(t, 'You sign in with Google and have no password here. {link} to sign in with it too.', {
            link: <a href="/forgot_password">{t('Set one by mail')}</a>,
          })}
        </p>
      ) : (
        <ProfileForm
          store={store}
          label={t('Password')}
          act={t('Change password')}
          saved={t('Changed. Your other sessions have ended.')}
        >
          {(field) => (
            <>
              <PasswordField
                {...field('current_password')}
                label={t('Current password')}
                autoComplete="current-password"
              />
              <div className="profile-pair">
                <NewPasswordField {...field('new_password')} label={t('New password')} />
                <PasswordField {...field('confirmation')} label={t('Confirm password')} autoComplete="new-password" />
              </div>
            </>
          )}
        </ProfileForm>
      )}
    </section>
  )
}

interface PasswordValues {
  current_password: string
  new_password: string
  confirmation: string
}

function problemsOf({ current_password, new_password, confirmation }: PasswordValues) {
  const problems: Partial<PasswordValues> = {}
  if (current_password === '') problems.current_password = login.passwordRequired
  if (new_password.length < passwordMinChars) problems.new_password = login.passwordShort(passwordMinChars)
  if (confirmation === '') problems.confirmation = reset.confirmRequired
  else if (confirmation !== new_password) problems.confirmation = reset.mismatch
  return problems
}
