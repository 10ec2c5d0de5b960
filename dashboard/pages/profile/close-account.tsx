import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { closeAccount } from '../../../client/account/profile.ts'
import { closedAccountKeptDays } from '../../../contract/account/account.limits.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog } from '../../../widgets/kit/overlay/dialog.tsx'
import { PasswordField } from '../../../widgets/kit/form/password-field.tsx'
import { useApp } from '../../app.ts'
import { login } from '../../messages.ts'
import { clearLocalStorage } from '../../preferences.ts'
import { createFormStore } from './form-store.ts'
import { ProfileForm } from './profile-form.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Closes the account: lists what is lost and requires the password. */
export function CloseAccount() {
  const t = useText()
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const [dialog, setDialog] = useState<'closed' | 'open'>('closed')
  return (
    <section className="panel" aria-labelledby="profile-close">
      <h2 id="profile-close">{t('Close account')}</h2>
      <div className="profile-line">
        <p>
          {user?.has_password === false ? (
            <>
              {richText(t, 'Closing requires your password. You have none yet: {link} first.', {
                link: <a href="/forgot_password">{t('set one by mail')}</a>,
              })}
            </>
          ) : (
            t('Ends your access at once, on every device and for every secret key.')
          )}
        </p>
        <Button disabled={user?.has_password === false} onClick={() => setDialog('open')}>
          {t('Close account…')}
        </Button>
      </div>
      {dialog === 'open' && <CloseDialog onClosed={() => setDialog('closed')} />}
    </section>
  )
}

function CloseDialog({ onClosed }: { onClosed: () => void }) {
  const t = useText()
  const { session, notify } = useApp()
  const [store] = useState(() =>
    createFormStore({
      initial: { password: '' },
      check: ({ password }): { password?: string } => (password === '' ? { password: login.passwordRequired } : {}),
      save: async ({ password }) => {
        await closeAccount(session, password)
        notify({ kind: 'info', text: t('Your account is closed') })
        clearLocalStorage()
        session.signOut()
      },
    }),
  )
  return (
    <Dialog title={t('Close your account')} onClosed={onClosed}>
      {(close) => (
        <>
          <p>{t('You lose, at once:')}</p>
          <ul className="losses">
            <li>{t('your sign-in, here and everywhere else;')}</li>
            <li>{t('every connected mailbox, its app password and its secret key;')}</li>
            <li>{t('every unsent mail and campaign, which are cancelled.')}</li>
          </ul>
          <p>
            {t(
              'Templates and records are kept for {closedAccountKeptDays} days so that the account can be reopened, then permanently deleted.',
              { closedAccountKeptDays },
            )}
          </p>
          <ProfileForm
            store={store}
            label={t('Close account')}
            act={t('Close my account')}
            saved=""
            kind="danger"
            beside={<Button onClick={close}>{t('Keep my account')}</Button>}
          >
            {(field) => <PasswordField {...field('password')} label={t('Password')} autoComplete="current-password" />}
          </ProfileForm>
        </>
      )}
    </Dialog>
  )
}
