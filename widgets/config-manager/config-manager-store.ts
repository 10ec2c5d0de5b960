import { proxy } from 'valtio/vanilla'
import { configList, type ConfigList } from '../../client/config-list.ts'
import { addEmailConfig, deleteEmailConfig } from '../../client/config.ts'
import { errorText, type Session } from '../../client/http.ts'
import type { Config, NewConfig, SmtpSecurity } from '../../contract/config.ts'
import { providers, type Provider } from '../../contract/limits.ts'
import { sandboxAddress } from '../../contract/sandbox.ts'
import { configDeleted } from '../lib/messages.ts'
import type { Notify } from '../lib/notify.ts'

/** What the add form holds; the last three count for the provider `other` only. */
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

/** What the view reads. A field's problem shows once it was left or the form was submitted. */
export interface ConfigManagerState {
  status: 'idle' | 'adding' | 'added' | 'failed'
  form: ConfigForm
  shownProblems: FormField[]
  /** The error text while `failed` (spec §2). */
  error: string | null
  /** The row whose deletion is being asked about. */
  asked: Config | null
  deletion: 'idle' | 'deleting'
  filter: string
  list: ConfigList['state']
}

export interface ConfigManagerDeps {
  session: Session
  notify: Notify
  onSaved?: (config: Config) => void
  onDeleted?: (config: Config) => void
}

export type ConfigManagerStore = ReturnType<typeof createConfigManagerStore>

/** Mailboxes whose domain tells the provider. */
const domains: Readonly<Record<string, Provider>> = {
  'gmail.com': 'gmail',
  'googlemail.com': 'gmail',
  'outlook.com': 'outlook',
  'hotmail.com': 'outlook',
  'live.com': 'outlook',
  'yahoo.com': 'yahoo',
  'ymail.com': 'yahoo',
}

/** State and actions of one configuration manager. */
export function createConfigManagerStore({ session, notify, onSaved, onDeleted }: ConfigManagerDeps) {
  const list = configList(session)
  const state = proxy<ConfigManagerState>({
    status: 'idle',
    form: emptyForm(),
    shownProblems: [],
    error: null,
    asked: null,
    deletion: 'idle',
    filter: '',
    list: list.state,
  })
  /** Until somebody picks one, the address picks the provider. */
  let providerIsChosen = false
  void list.load()

  function write(change: Partial<ConfigForm>): void {
    if (change.provider !== undefined) providerIsChosen = true
    Object.assign(state.form, change)
    if (state.status !== 'adding') state.status = 'idle'
  }

  return {
    state,
    write,
    reload: () => list.load(),
    setFilter(text: string) {
      state.filter = text
    },
    /** A field was left: from now on its problem shows. */
    leave(field: FormField) {
      const domain = state.form.email_address.split('@')[1]?.toLowerCase() ?? ''
      const provider = domains[domain]
      if (field === 'email_address' && !providerIsChosen && provider) state.form.provider = provider
      if (!state.shownProblems.includes(field)) state.shownProblems.push(field)
    },
    /** Fills the form with the server's own mailbox, which takes any app password. */
    fillSandbox() {
      write({ email_address: sandboxAddress, provider: 'other', app_password: 'sandbox', smtp_host: '' })
    },
    /** Fills the form with what is known of a paused mailbox; its app password is asked for again. */
    connectAgain({ email_address, provider }: Pick<Config, 'email_address' | 'provider'>) {
      write({ ...emptyForm(), email_address, provider })
    },
    async add() {
      if (state.status === 'adding') return
      const { form } = state
      const problems = Object.keys(problemsOf(form)) as FormField[]
      if (problems.length > 0) {
        state.shownProblems = problems
        return
      }
      Object.assign(state, { status: 'adding', error: null, shownProblems: [] })
      try {
        const config = await addEmailConfig(session, payloadOf(form))
        list.put(config)
        providerIsChosen = false
        Object.assign(state, { status: 'added', form: emptyForm() })
        onSaved?.(config)
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
      }
    },
    askDelete(config: Config) {
      state.asked = { ...config }
    },
    keep() {
      state.asked = null
    },
    /** Deletes the row that was asked about; tells whether it is gone. A failure is shown as a toast (decisions). */
    async delete(): Promise<boolean> {
      const config = state.asked
      if (config === null || state.deletion === 'deleting') return false
      state.deletion = 'deleting'
      try {
        await deleteEmailConfig(session, config.id)
        list.remove(config.id)
        notify({ kind: 'info', text: configDeleted(config.email_address) })
        onDeleted?.(config)
        return true
      } catch (error) {
        notify({ kind: 'error', text: errorText(error) ?? '' })
        return false
      } finally {
        state.deletion = 'idle'
      }
    },
  }
}

/** What keeps a form from being sent, by field. */
export function problemsOf({ email_address, provider, app_password, smtp_host, smtp_port }: Readonly<ConfigForm>) {
  const problems: Partial<Record<FormField, string>> = {}
  const address = email_address.trim()
  if (address === '') problems.email_address = 'Email address is required'
  else if (!/^[^\s@]+@[^\s@]+$/.test(address)) problems.email_address = 'Write it as name@example.com'
  if (app_password.trim() === '') problems.app_password = 'App password is required'
  if (provider !== 'other' || address === sandboxAddress) return problems
  if (smtp_host.trim() === '') problems.smtp_host = 'Name the mail server, such as smtp.example.com'
  if (!/^\d{1,5}$/.test(smtp_port.trim())) problems.smtp_port = 'Give the port as a number: 587 or 465'
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
