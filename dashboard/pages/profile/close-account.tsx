import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { closeAccount } from '../../../client/account/profile.ts'
import { closedAccountKeptDays } from '../../../contract/core/limits.ts'
import { Button } from '../../../widgets/kit/button.tsx'
import { Dialog } from '../../../widgets/kit/dialog.tsx'
import { PasswordField } from '../../../widgets/kit/password-field.tsx'
import { useApp } from '../../app.ts'
import { login } from '../../messages.ts'
import { clearLocalStorage } from '../../preferences.ts'
import { createFormStore } from './form-store.ts'
import { ProfileForm } from './profile-form.tsx'

/** The way out: names what is lost, and asks for the password. */
export function CloseAccount() {
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const [dialog, setDialog] = useState<'closed' | 'open'>('closed')
  return (
    <section className="panel" aria-labelledby="profile-close">
      <h2 id="profile-close">Close account</h2>
      <div className="profile-line">
        <p>
          {user?.has_password === false ? (
            <>
              Closing requires your password. You have none yet: <a href="/forgot_password">set one by mail</a> first.
            </>
          ) : (
            'Ends your access at once, on every device and for every secret key.'
          )}
        </p>
        <Button disabled={user?.has_password === false} onClick={() => setDialog('open')}>
          Close account…
        </Button>
      </div>
      {dialog === 'open' && <CloseDialog onClosed={() => setDialog('closed')} />}
    </section>
  )
}

function CloseDialog({ onClosed }: { onClosed: () => void }) {
  const { session, notify } = useApp()
  const [store] = useState(() =>
    createFormStore({
      initial: { password: '' },
      check: ({ password }): { password?: string } => (password === '' ? { password: login.passwordRequired } : {}),
      save: async ({ password }) => {
        await closeAccount(session, password)
        notify({ kind: 'info', text: 'Your account is closed' })
        clearLocalStorage()
        session.signOut()
      },
    }),
  )
  return (
    <Dialog title="Close your account" onClosed={onClosed}>
      {(close) => (
        <>
          <p>You lose, at once:</p>
          <ul className="losses">
            <li>your sign-in, here and everywhere else;</li>
            <li>every connected mailbox, its app password and its secret key;</li>
            <li>every unsent mail and campaign, which are cancelled.</li>
          </ul>
          <p>
            Templates and records are kept for {closedAccountKeptDays} days so that the account can be reopened, then
            permanently deleted.
          </p>
          <ProfileForm
            store={store}
            label="Close account"
            act="Close my account"
            saved=""
            kind="danger"
            beside={<Button onClick={close}>Keep my account</Button>}
          >
            {(field) => <PasswordField {...field('password')} label="Password" autoComplete="current-password" />}
          </ProfileForm>
        </>
      )}
    </Dialog>
  )
}
