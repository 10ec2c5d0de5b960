import { useCallback, useState } from 'react'
import type { CallOptions } from '../../../client/core/http.ts'
import { getWorkspace, updateWorkspace } from '../../../client/account/workspace.ts'
import { postalAddressMaxChars, workspaceNameMaxChars } from '../../../contract/account/workspace.limits.ts'
import type { Workspace } from '../../../contract/account/workspace.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { useLoaded } from '../../kit/use-loaded.ts'
import { createFormStore } from './form-store.ts'
import { ProfileForm } from './profile-form.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** The workspace's name, and the postal address that campaigns carry. */
export function WorkspacePanel() {
  const t = useText()
  const { session } = useApp()
  const load = useCallback((options: CallOptions) => getWorkspace(session, options), [session])
  const { loaded, reload } = useLoaded(load)
  return (
    <section className="panel" aria-labelledby="profile-workspace">
      <h2 id="profile-workspace">{t('Workspace')}</h2>
      {loaded.status === 'loading' && (
        <Skeleton>
          <div className="profile-form">
            <Bone width="60%" />
            <Bone width="80%" />
          </div>
        </Skeleton>
      )}
      {loaded.status === 'failed' && (
        <ErrorState title={t('The workspace could not be loaded')} text={loaded.error} onRetry={reload} />
      )}
      {loaded.status === 'ready' && <WorkspaceForm workspace={loaded.value} />}
      <p className="home-more">
        {richText(t, '{link} receive no mail.', {
          link: <a href="/dashboard/suppressions">{t('Suppressed addresses')}</a>,
        })}
      </p>
    </section>
  )
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() =>
    createFormStore({
      initial: { name: workspace.name, postal_address: workspace.postal_address ?? '' },
      check: ({ name }): { name?: string } => (name.trim() === '' ? { name: t('Name is required') } : {}),
      save: async (values) => {
        const { name } = await updateWorkspace(session, values)
        if (session.state.user) session.state.user.workspace.name = name
      },
    }),
  )
  return (
    <ProfileForm store={store} label={t('Workspace')} act={t('Save workspace')} saved={t('Saved')}>
      {(field) => (
        <>
          <TextField {...field('name')} label={t('Name')} maxLength={workspaceNameMaxChars} />
          <TextArea
            {...field('postal_address')}
            label={t('Postal address')}
            rows={4}
            maxLength={postalAddressMaxChars}
            hint={t('Shown in the footer of every campaign, as the law of many countries requires.')}
          />
        </>
      )}
    </ProfileForm>
  )
}
