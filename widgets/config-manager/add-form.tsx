import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { SmtpSecurity } from '../../contract/mail/config.ts'
import { providers, sandboxAddress, type Provider } from '../../contract/mail/config.limits.ts'
import { Banner } from '../kit/feedback/banner.tsx'
import { Button } from '../kit/form/button.tsx'
import { SelectField } from '../kit/form/select-field.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { TextField } from '../kit/form/text-field.tsx'
import { configAdded, signInTexts } from '../lib/config-messages.ts'
import {
  createAddFormStore,
  labelled,
  problemsOf,
  type Discovery,
  type FormField,
  type SignInAtProvider,
} from './add-form-store.ts'
import { css } from './add-form.css'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { Guidance } from './guidance.tsx'
import { richText } from '../kit/text/rich-text.tsx'
import { useMessages, useText } from '../kit/text/text.tsx'

const sheet = createSheet(css)
const securityOptions = [
  { value: 'auto', text: 'By the port' },
  { value: 'starttls', text: 'STARTTLS' },
  { value: 'tls', text: 'TLS' },
  { value: 'none', text: 'None, if the operator allows it' },
]

/** Connects a mailbox: address, provider, app password and how to come by one (spec §2). */
export function AddForm({
  manager,
  sandbox,
  signIn,
}: {
  manager: ConfigManagerStore
  sandbox: boolean
  signIn?: SignInAtProvider | undefined
}) {
  useSheet(sheet)
  const [store] = useState(() =>
    manager.formStore('add', () =>
      createAddFormStore({ session: manager.session, signIn, onAdded: (config) => manager.saved(config) }),
    ),
  )
  const t = useMessages()
  const owner = useText()
  const { form, status, error, shownProblems, discovery, signIns, isForReading } = useSnapshot(store.state, {
    sync: true,
  })
  const { goal } = useSnapshot(manager.state)
  const element = useRef<HTMLFormElement>(null)
  const problems = problemsOf(form)

  useEffect(() => void store.start(), [store])

  useEffect(() => {
    if (goal === null) return
    if (goal.mailbox) store.fill(goal.mailbox)
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    element.current?.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'auto' : 'smooth' })
    element.current?.querySelector<HTMLElement>(`[name=${goal.field}]`)?.focus({ preventScroll: true })
  }, [goal, store])

  const field = (name: FormField) => ({
    name,
    value: form[name],
    problem: shownProblems.includes(name) && problems[name] ? t(problems[name]) : null,
    onValue: (value: string) => store.write({ [name]: value }),
    onBlur: () => store.leave(name),
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void store.submit()
  }
  const signInProvider = signIns.find((provider) => provider === form.provider)
  const isSandbox = form.email_address.trim() === sandboxAddress
  return (
    <form
      className="card add"
      data-needs="configs:write"
      ref={element}
      noValidate
      aria-label={t('New Config')}
      onSubmit={submit}
    >
      <h2>{t('New Config')}</h2>
      {status === 'added' && <Banner kind="success" title={t(configAdded)} />}
      {status === 'failed' && <Banner kind="error" title={labelled(t, t(error ?? ''))} />}
      <TextField {...field('email_address')} label={t('Email address')} type="email" required autoComplete="off" />
      <SelectField
        label={t('Provider')}
        options={providers.map((value) => ({ value, text: t(value as string) }))}
        value={form.provider}
        onValue={(value) => store.write({ provider: value as Provider })}
      />
      {form.provider === 'other' && !isSandbox && (
        <div className="server">
          <TextField
            {...field('smtp_host')}
            label={t('Mail server')}
            placeholder={t('Looked up if left empty')}
            hint={discovery && <Found is={discovery} onUse={store.takeServer} />}
          />
          <TextField {...field('smtp_port')} label={t('Port')} inputMode="numeric" />
          <SelectField
            label={t('Security')}
            options={securityOptions.map(({ value, text }) => ({ value, text: t(text) }))}
            value={form.smtp_security}
            onValue={(value) => store.write({ smtp_security: value as SmtpSecurity | 'auto' })}
          />
        </div>
      )}
      {signInProvider && (
        <div className="sign-in">
          <Button disabled={status === 'adding'} onClick={() => void store.signInAtProvider()}>
            {owner(signInTexts[signInProvider])}
          </Button>
          <p className="hint">
            {owner('No app password needed: you allow sending at the provider. Or use one below.')}
          </p>
          <label className="check">
            <input
              type="checkbox"
              checked={isForReading}
              onChange={(event) => store.setForReading(event.currentTarget.checked)}
            />
            {owner('Read replies and bounces')}
          </label>
          {isForReading && (
            <p className="hint">
              {owner(
                'The provider asks for one more permission. INBOX, the junk folder and the sent folder are read from then on; nothing in the mailbox is changed, and only mails that answer yours are kept.',
              )}
            </p>
          )}
        </div>
      )}
      <TextField
        {...field('app_password')}
        label={t('App password')}
        type="password"
        required
        autoComplete="off"
        hint={isSandbox ? t('The sandbox takes any app password.') : <Guidance provider={form.provider} />}
      />
      <div className="add-row">
        <Button kind="primary" type="submit" busy={status === 'adding'}>
          {t(status === 'adding' ? 'Connecting...' : 'Add Config')}
        </Button>
        {sandbox && !isSandbox && (
          <Button kind="quiet" onClick={() => store.fillSandbox()}>
            {owner('Use {address}', { address: sandboxAddress })}
          </Button>
        )}
      </div>
      {sandbox && (
        <p className="hint">
          {richText(
            owner,
            'This server has its sandbox on: {address} is a mailbox of its own, and what it sends arrives in the {inbox}, nowhere else.',
            { address: sandboxAddress, inbox: <a href="/sandbox">{owner('sandbox inbox')}</a> },
          )}
        </p>
      )}
    </form>
  )
}

/** Result of the mail server lookup. */
function Found({ is, onUse }: { is: Discovery; onUse: (server: Exclude<Discovery, string>) => void }) {
  const t = useMessages()
  if (is === 'looking') return <span role="status">{t('Looking up the mail server of the domain…')}</span>
  if (is === 'none')
    return (
      <span role="status">
        {t('The domain names no mail server. Fill it in here: your provider’s help page gives it.')}
      </span>
    )
  if (is.is_sure) return <span role="status">{t('The domain names {host}.', { host: is.smtp_host })}</span>
  return (
    <span role="status">
      {t('The domain’s DNS names {host}, a host elsewhere. If that is your mail provider:', { host: is.smtp_host })}{' '}
      <Button size="small" onClick={() => onUse({ ...is })}>
        {t('Use it')}
      </Button>
    </span>
  )
}
