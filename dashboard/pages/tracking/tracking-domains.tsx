import { useCallback, useState, type SubmitEvent } from 'react'
import type { TrackingDomain } from '../../../contract/results/tracking-domain.ts'
import { errorText, type CallOptions } from '../../../client/core/http.ts'
import {
  checkTrackingDomain,
  createTrackingDomain,
  deleteTrackingDomain,
  listTrackingDomains,
} from '../../../client/results/tracking-domain.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { circleCheck, clock, triangleAlert } from '../../../widgets/kit/icon/icons.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { useLoaded } from '../../kit/use-loaded.ts'

const exampleHost = 'links.example.com'

/** Hosts of one's own for the links and images of mails, with the DNS record that each needs. */
export function TrackingDomains() {
  const t = useText()
  const { session } = useApp()
  const load = useCallback((options: CallOptions) => listTrackingDomains(session, options), [session])
  const { loaded, reload, set } = useLoaded(load)
  return (
    <section className="panel" aria-labelledby="tracking-domains">
      <h2 id="tracking-domains">{t('Tracking domain')}</h2>
      <p className="tracking-about">
        {t(
          'Links and images of your mails can lead through a subdomain of your own, such as links.example.com. Mail providers then see one sender. Without it they lead through this server.',
        )}
      </p>
      {loaded.status === 'loading' && (
        <Skeleton>
          <Bone width="60%" />
          <Bone width="80%" />
        </Skeleton>
      )}
      {loaded.status === 'failed' && (
        <ErrorState level={2} title={t('The domains could not be loaded')} text={loaded.error} onRetry={reload} />
      )}
      {loaded.status === 'ready' && (
        <>
          {loaded.value.map((domain) => (
            <Domain
              key={domain.id}
              domain={domain}
              onChanged={(changed) => set(loaded.value.map((one) => (one.id === changed.id ? changed : one)))}
              onRemoved={() => set(loaded.value.filter(({ id }) => id !== domain.id))}
            />
          ))}
          <AddDomain
            onAdded={(added) => set([...loaded.value.filter(({ id }) => id !== added.id), added])}
            isFirst={loaded.value.length === 0}
          />
        </>
      )}
    </section>
  )
}

const states = {
  pending: { text: 'Not used yet', icon: clock, tone: '' },
  active: { text: 'In use', icon: circleCheck, tone: 'good' },
  failing: { text: 'Fails: new mails do without it', icon: triangleAlert, tone: 'bad' },
} as const

function Domain({
  domain,
  onChanged,
  onRemoved,
}: {
  domain: TrackingDomain
  onChanged: (domain: TrackingDomain) => void
  onRemoved: () => void
}) {
  const t = useText()
  const { session, notify } = useApp()
  const [busy, setBusy] = useState<'none' | 'check' | 'remove'>('none')
  const [isAsking, setAsking] = useState(false)
  const { host, state, record, error } = domain
  const { text, icon, tone } = states[state]
  const attempt = async (what: 'check' | 'remove', work: () => Promise<void>): Promise<boolean> => {
    setBusy(what)
    try {
      await work()
      return true
    } catch (failure) {
      notify({ kind: 'error', text: errorText(failure) ?? t('That did not work') })
      return false
    } finally {
      setBusy('none')
    }
  }
  const check = () =>
    attempt('check', async () => {
      const checked = await checkTrackingDomain(session, domain.id)
      onChanged(checked)
      if (checked.state === 'active') notify({ kind: 'success', text: t('{host} is in use', { host }) })
    })
  const remove = () =>
    attempt('remove', async () => {
      await deleteTrackingDomain(session, domain.id)
      onRemoved()
    })
  return (
    <div className="tracking-domain" role="group" aria-label={host}>
      <div className="tracking-domain-top">
        <b translate="no">{host}</b>
        <span className={`tracking-state ${tone}`}>
          <Icon of={icon} size={16} />
          {t(text)}
        </span>
        <span className="tracking-domain-acts">
          <Button size="small" busy={busy === 'check'} onClick={() => void check()}>
            {t('Check now')}
          </Button>
          <Button size="small" onClick={() => setAsking(true)}>
            {t('Remove')}
          </Button>
        </span>
      </div>
      {error !== null && (
        <Banner kind={state === 'failing' ? 'error' : 'warn'} title={t('To correct')}>
          <p>{error}</p>
        </Banner>
      )}
      {state !== 'active' && <DnsRecord record={record} />}
      {isAsking && (
        <ConfirmDialog
          title={t('Remove {host}?', { host })}
          act={t('Remove')}
          busy={busy === 'remove'}
          onAct={remove}
          onClosed={() => setAsking(false)}
        >
          <p>{t('New mails do without it. Links of mails that have left work as long as its DNS record stays.')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function DnsRecord({ record: { type, name, value } }: { record: TrackingDomain['record'] }) {
  const t = useText()
  const { notify } = useApp()
  const copied = () => notify({ kind: 'success', text: t('Copied') })
  const failed = () => notify({ kind: 'error', text: t('The text could not be copied. Select it and copy it.') })
  const rows = [
    [t('Type'), type, null],
    [t('Name'), name, t('name')],
    [t('Value'), value, t('value')],
  ] as const
  return (
    <>
      <p className="tracking-hint">
        {t('Create this record where your domain is managed. We check it automatically.')}
      </p>
      <dl className="tracking-record">
        {rows.map(([label, text, what]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code translate="no">{text}</code>
              {what !== null && (
                <CopyButton text={text} what={what} face={{ text: t('Copy') }} onCopied={copied} onFailed={failed} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function AddDomain({ isFirst, onAdded }: { isFirst: boolean; onAdded: (domain: TrackingDomain) => void }) {
  const t = useText()
  const { session } = useApp()
  const [host, setHost] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    if (host.trim() === '') {
      setProblem(t('Enter a subdomain of your own.'))
      return
    }
    setBusy(true)
    try {
      onAdded(await createTrackingDomain(session, { host: host.trim() }))
      setHost('')
      setProblem(null)
    } catch (error) {
      setProblem(errorText(error))
    }
    setBusy(false)
  }
  return (
    <form className="tracking-add" noValidate onSubmit={(event) => void add(event)}>
      <TextField
        label={isFirst ? t('Subdomain') : t('Another subdomain')}
        placeholder={exampleHost}
        value={host}
        problem={problem}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onValue={setHost}
      />
      <Button type="submit" busy={busy}>
        {t('Add domain')}
      </Button>
    </form>
  )
}
