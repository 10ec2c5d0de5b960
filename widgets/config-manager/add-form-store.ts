import { proxy } from 'valtio/vanilla'
import { addEmailConfig } from '../../client/config.ts'
import { errorText, type Session } from '../../client/http.ts'
import type { Config, NewConfig, SmtpSecurity } from '../../contract/config.ts'
import { providers, sandboxAddress, type Provider } from '../../contract/limits.ts'

/** What the form holds; the last three count for the provider `other` only. */
export interface ConfigForm {
  email_address: string
  provider: Provider
  app_password: string
  smtp_host: string
  smtp_port: string
  /** `auto` lets the port decide. */
  smtp_security: SmtpSecurity | 'auto'
}

export type FormField = 'email_address' | 'app_password' | 'smtp_host' | 'smtp_port'

/** What the form's view reads. A field's problem shows once it was left or the form was submitted. */
export interface AddFormState {
  status: 'idle' | 'adding' | 'added' | 'failed'
  form: ConfigForm
  shownProblems: FormField[]
  /** The error text while `failed` (spec §2). */
  error: string | null
}

/** Domains that tell the provider. */
const domains: Readonly<Record<string, Provider>> = {
  'gmail.com': 'gmail',
  'googlemail.com': 'gmail',
  'outlook.com': 'outlook',
  'hotmail.com': 'outlook',
  'live.com': 'outlook',
  'yahoo.com': 'yahoo',
  'ymail.com': 'yahoo',
}

/** State and actions of one add form. */
export function createAddFormStore({ session, onAdded }: { session: Session; onAdded: (config: Config) => void }) {
  const state = proxy<AddFormState>({ status: 'idle', form: emptyForm(), shownProblems: [], error: null })
  /** Until somebody picks one, the address picks the provider. */
  let isProviderChosen = false

  function write(change: Partial<ConfigForm>): void {
    if (change.provider !== undefined) isProviderChosen = true
    Object.assign(state.form, change)
    if (state.status !== 'adding') state.status = 'idle'
  }

  return {
    state,
    write,
    /** A field was left: from now on its problem shows. */
    leave(field: FormField) {
      const domain = state.form.email_address.trim().toLowerCase().split('@')[1] ?? ''
      const provider = domains[domain]
      if (field === 'email_address' && !isProviderChosen && provider !== undefined) state.form.provider = provider
      if (state.form[field] !== '' && !state.shownProblems.includes(field)) state.shownProblems.push(field)
    },
    /** Fills the form with the server's own mailbox, which takes any app password. */
    fillSandbox() {
      write({ email_address: sandboxAddress, provider: 'other', app_password: 'sandbox', smtp_host: '' })
    },
    /** Fills the form with a known mailbox; its app password is asked for again. */
    fill(mailbox: Pick<ConfigForm, 'email_address' | 'provider'>) {
      write({ ...emptyForm(), ...mailbox })
    },
    async submit() {
      if (state.status === 'adding') return
      const { form } = state
      state.shownProblems = Object.keys(problemsOf(form)) as FormField[]
      if (state.shownProblems.length > 0) return
      Object.assign(state, { status: 'adding', error: null })
      try {
        const config = await addEmailConfig(session, payloadOf(form))
        isProviderChosen = false
        Object.assign(state, { status: 'added', form: emptyForm() })
        onAdded(config)
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
      }
    },
  }
}

/** What keeps a form from being sent, by field. A mail server that is left out is found by the server. */
export function problemsOf({ email_address, provider, app_password, smtp_port }: Readonly<ConfigForm>) {
  const problems: Partial<Record<FormField, string>> = {}
  const address = email_address.trim()
  if (address === '') problems.email_address = 'Email address is required'
  else if (!/^[^\s@]+@[^\s@]+$/.test(address)) problems.email_address = 'Write it as name@example.com'
  if (app_password.trim() === '') problems.app_password = 'App password is required'
  if (provider !== 'other' || address === sandboxAddress) return problems
  if (!/^\d{1,5}$/.test(smtp_port.trim())) problems.smtp_port = 'Give a number: 587 or 465'
  return problems
}

function payloadOf(form: Readonly<ConfigForm>): NewConfig {
  const { email_address, provider, app_password, smtp_host, smtp_port, smtp_security } = form
  const mailbox = { email_address: email_address.trim(), provider, app_password }
  if (provider !== 'other' || smtp_host.trim() === '') return mailbox
  const server = { smtp_host: smtp_host.trim(), smtp_port: Number(smtp_port) }
  return { ...mailbox, ...server, ...(smtp_security !== 'auto' && { smtp_security }) }
}

function emptyForm(): ConfigForm {
  return {
    email_address: '',
    provider: providers[0],
    app_password: '',
    smtp_host: '',
    smtp_port: '587',
    smtp_security: 'auto',
  }
}
