import { useCallback, useState } from 'react'
import type { CallOptions } from '../../../client/core/http.ts'
import { getWorkspace, updateWorkspace } from '../../../client/account/workspace.ts'
import { trackingModes } from '../../../contract/results/tracking.limits.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { Workspace } from '../../../contract/account/workspace.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { useLoaded } from '../../kit/use-loaded.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { TrackingDomains } from './tracking-domains.tsx'
import { createFormStore } from '../profile/form-store.ts'
import { ProfileForm } from '../profile/profile-form.tsx'

/** /dashboard/tracking: what is recorded of opens and clicks, and what the figures mean. */
export function TrackingPage() {
  const t = useText()
  const { session } = useApp()
  const load = useCallback((options: CallOptions) => getWorkspace(session, options), [session])
  const { loaded, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader title={t('Tracking')}>
        {t('What is recorded when people open your mails and click links.')}
      </ScreenHeader>
      <div className="profile">
        <section className="panel" aria-labelledby="tracking-modes">
          <h2 id="tracking-modes">{t('Opens and clicks')}</h2>
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
          {loaded.status === 'ready' && <Modes workspace={loaded.value} />}
        </section>
        <TrackingDomains />
        <Meaning />
      </div>
    </>
  )
}

const offeredMonths = [1, 3, 6, 13, 25, 37, 61]

/** Offered times, and the one that was set by a call. */
const monthsOf = ({ events_keep_months: kept }: Workspace) =>
  [...new Set([...offeredMonths, kept])].toSorted((a, b) => a - b)

function Modes({ workspace }: { workspace: Workspace }) {
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() =>
    createFormStore<{ tracking: TrackingMode; api_tracking: TrackingMode; months: string }>({
      initial: {
        tracking: workspace.tracking,
        api_tracking: workspace.api_tracking,
        months: String(workspace.events_keep_months),
      },
      check: () => ({}),
      save: async ({ months, ...modes }) => {
        await updateWorkspace(session, { ...modes, events_keep_months: Number(months) })
      },
    }),
  )
  const names: Record<TrackingMode, string> = {
    off: t('Off: nothing is recorded'),
    counts: t('Totals only: how many, but not who'),
    identified: t('By person: who opened and clicked'),
  }
  const options = trackingModes.map((value) => ({ value, text: names[value] }))
  return (
    <ProfileForm store={store} label={t('Opens and clicks')} act={t('Save tracking')} saved={t('Saved')}>
      {(field) => (
        <>
          <SelectField
            {...field('tracking')}
            label={t('Campaigns')}
            options={options}
            hint={t('A campaign can record less, never more. It keeps the setting that it had at its launch.')}
          />
          <SelectField
            {...field('api_tracking')}
            label={t('Single mails and mails of your programs')}
            options={options}
            hint={t('A program can choose another setting for each mail.')}
          />
          <SelectField
            {...field('months')}
            label={t('Keep single opens and clicks for')}
            options={monthsOf(workspace).map((count) => ({
              value: String(count),
              text: t('{count} month|{count} months', { count }),
            }))}
            hint={t('Older ones leave the timelines. The figures of reports stay.')}
          />
        </>
      )}
    </ProfileForm>
  )
}

function Meaning() {
  const t = useText()
  return (
    <section className="panel" aria-labelledby="tracking-meaning">
      <h2 id="tracking-meaning">{t('What the figures mean')}</h2>
      <dl className="tracking-meaning">
        <dt>{t('An open')}</dt>
        <dd>
          {t(
            'An invisible image of the mail was loaded. Some mail programs load it without a reader, others never load it. Treat opens as a trend.',
          )}
        </dd>
        <dt>{t('A click')}</dt>
        <dd>
          {t(
            'A link of the mail was followed. Links lead through this server first, which forwards at once. Links in the text version stay as you wrote them.',
          )}
        </dd>
        <dt>{t('By machines')}</dt>
        <dd>
          {t(
            'Opens and clicks of privacy services and virus scanners are shown beside your figures and are never part of them.',
          )}
        </dd>
        <dt>{t('Privacy')}</dt>
        <dd>
          {t(
            'No IP address is stored and no cookie is set. A contact whose tracking is off gets the mail without image and with plain links. Tell people in your privacy notice what you record.',
          )}
        </dd>
      </dl>
    </section>
  )
}
