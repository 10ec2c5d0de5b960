import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { updateCurrentUser } from '../../../client/account/profile.ts'
import { nameMaxChars } from '../../../contract/account/account.limits.ts'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { SchemeSwitch } from '../../shell/scheme-switch.tsx'
import { UndoPanel } from './undo-panel.tsx'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { CloseAccount } from './close-account.tsx'
import { createFormStore } from './form-store.ts'
import { PasswordPanel } from './password-panel.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { WorkspacePanel } from './workspace-panel.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** /dashboard/profile: name, password, sessions, workspace, and closing the account. */
export function ProfilePage() {
  const t = useText()
  const { user } = useSnapshot(useApp().session.state)
  if (user === null) return null
  return (
    <>
      <ScreenHeader title={t('Profile')}>{t('Your details, your workspace and your sessions.')}</ScreenHeader>
      <div className="profile">
        <div className="profile-column">
          <Details />
          <WorkspacePanel />
          <SessionsPanel />
        </div>
        <div className="profile-column">
          <PasswordPanel />
          <section className="panel" aria-labelledby="profile-look">
            <h2 id="profile-look">{t('Appearance')}</h2>
            <div className="profile-line">
              <p>{t('Light, dark, or the setting of your system. It applies on every device.')}</p>
              <SchemeSwitch />
            </div>
          </section>
          <UndoPanel />
          <CloseAccount />
        </div>
      </div>
    </>
  )
}

function Details() {
  const t = useText()
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const [store] = useState(() =>
    createFormStore({
      initial: { first_name: user?.first_name ?? '', last_name: user?.last_name ?? '' },
      check: (values) => ({
        ...missing(values, 'first_name', 'First name'),
        ...missing(values, 'last_name', 'Last name'),
      }),
      save: async (values) => {
        session.state.user = await updateCurrentUser(session, values)
      },
    }),
  )
  if (user === null) return null
  return (
    <section className="panel" aria-labelledby="profile-details">
      <h2 id="profile-details">{t('Details')}</h2>
      <dl className="facts profile-facts">
        <div>
          <dt>{t('Email')}</dt>
          <dd>{user.email}</dd>
        </div>
        <div>
          <dt>{t('Workspace')}</dt>
          <dd>{t('{name}, as {role}', { name: user.workspace.name, role: user.workspace.role })}</dd>
        </div>
        <div>
          <dt>{t('Member since')}</dt>
          <dd>{new Date(user.created_at).toLocaleDateString(t.lang, { dateStyle: 'long' })}</dd>
        </div>
      </dl>
      <ProfileForm store={store} label={t('Details')} act={t('Save name')} saved={t('Saved')}>
        {(field) => (
          <div className="profile-pair">
            <TextField
              {...field('first_name')}
              label={t('First name')}
              autoComplete="given-name"
              maxLength={nameMaxChars}
            />
            <TextField
              {...field('last_name')}
              label={t('Last name')}
              autoComplete="family-name"
              maxLength={nameMaxChars}
            />
          </div>
        )}
      </ProfileForm>
    </section>
  )
}

function missing<K extends string>(values: Record<K, string>, name: K, label: string) {
  return values[name].trim() === ''
    ? ({ [name]: pageLanguage.t('{label} is required', { label: pageLanguage.t(label) }) } as Record<K, string>)
    : {}
}
