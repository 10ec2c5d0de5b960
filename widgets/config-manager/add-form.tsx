import type { RefObject, SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { SmtpSecurity } from '../../contract/config.ts'
import { providers, type Provider } from '../../contract/limits.ts'
import { sandboxAddress } from '../../contract/sandbox.ts'
import { Banner } from '../kit/banner.tsx'
import { Button } from '../kit/button.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { TextField } from '../kit/text-field.tsx'
import { configAdded } from '../lib/messages.ts'
import { problemsOf, type ConfigManagerStore, type FormField } from './config-manager-store.ts'
import { Guidance } from './guidance.tsx'

const providerOptions = providers.map((value) => ({ value, text: value }))
const securityOptions = [
  { value: 'auto', text: 'By the port' },
  { value: 'starttls', text: 'STARTTLS' },
  { value: 'tls', text: 'TLS' },
  { value: 'none', text: 'None, where the operator allows it' },
]

export interface AddFormProps {
  store: ConfigManagerStore
  /** Whether the server has its sandbox mailbox on. */
  sandbox: boolean
  form: RefObject<HTMLFormElement | null>
}

/** Connects a mailbox: address, provider, app password and how to come by one (spec §2). */
export function AddForm({ store, sandbox, form: element }: AddFormProps) {
  const { form, status, error, shownProblems } = useSnapshot(store.state, { sync: true })
  const problems = problemsOf(form)
  const field = (name: FormField) => ({
    value: form[name],
    problem: shownProblems.includes(name) ? problems[name] : null,
    onValue: (value: string) => store.write({ [name]: value }),
    onBlur: () => store.leave(name),
  })
  const add = (event: SyntheticEvent) => {
    event.preventDefault()
    void store.add()
  }
  const isSandbox = form.email_address.trim() === sandboxAddress
  return (
    <form className="card add" ref={element} noValidate aria-label="New Config" onSubmit={add}>
      <h2>New Config</h2>
      {status === 'added' && <Banner kind="success" title={configAdded} />}
      {status === 'failed' && <Banner kind="error" title={error} />}
      <TextField {...field('email_address')} label="Email address" type="email" required autoComplete="off" />
      <SelectField
        label="Provider"
        options={providerOptions}
        value={form.provider}
        onValue={(value) => store.write({ provider: value as Provider })}
      />
      {form.provider === 'other' && !isSandbox && (
        <div className="server">
          <TextField {...field('smtp_host')} label="Mail server" placeholder="smtp.example.com" />
          <TextField {...field('smtp_port')} label="Port" inputMode="numeric" />
          <SelectField
            label="Security"
            options={securityOptions}
            value={form.smtp_security}
            onValue={(value) => store.write({ smtp_security: value as SmtpSecurity | 'auto' })}
          />
        </div>
      )}
      <TextField
        {...field('app_password')}
        label="App password"
        type="password"
        required
        autoComplete="off"
        hint={isSandbox ? 'The sandbox takes any app password.' : <Guidance provider={form.provider} />}
      />
      <div className="add-row">
        <Button kind="primary" type="submit" busy={status === 'adding'}>
          {status === 'adding' ? 'Connecting...' : 'Add Config'}
        </Button>
        {sandbox && !isSandbox && (
          <Button kind="quiet" onClick={() => store.fillSandbox()}>
            Use {sandboxAddress}
          </Button>
        )}
      </div>
      {sandbox && (
        <p className="hint">
          This server has its sandbox on: {sandboxAddress} is a mailbox of its own, and what it sends arrives at
          /sandbox instead of an inbox.
        </p>
      )}
    </form>
  )
}
