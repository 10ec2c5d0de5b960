import { proxy } from 'valtio/vanilla'
import type { DiscoveredServer, SignInProvider } from '../../contract/mail/config.ts'
import { addEmailConfig } from '../../client/mail/config.ts'
import { errorText, type Session } from '../../client/core/http.ts'
import type { Config, NewConfig, SmtpSecurity } from '../../contract/mail/config.ts'
import { providers, sandboxAddress, type Provider } from '../../contract/mail/config.limits.ts'
import type { Translate } from '../lib/messages/messages.ts'
import type { MessageId, PlainMessageId } from '../lib/messages/messages-es.ts'

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

/** How a page leads to a provider, and what the provider sent back with. */
export interface SignInAtProvider {
  go: (url: string) => void
  /** Null without a completed visit to the provider. */
  returned: { code: string; state: string } | 'refused' | null
}

/** What the address's domain says of its mail server; null until it was asked. */
export type Discovery = 'looking' | 'none' | NonNullable<DiscoveredServer['server']>

/** What the form's view reads. A field's problem shows once it was left or the form was submitted. */
export interface AddFormState {
  status: 'idle' | 'adding' | 'added' | 'failed'
  form: ConfigForm
  shownProblems: FormField[]
  /** The error text while `failed` (spec §2). */
  error: string | null
  discovery: Discovery | null
  /** Providers that this server lets people sign in with. */
  signIns: SignInProvider[]
  /** The sign-in asks for the permission to read, too. */
  isForReading: boolean
}

/** Domains that identify the provider. */
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
export function createAddFormStore({
  session,
  signIn,
  onAdded,
}: {
  session: Session
  signIn?: SignInAtProvider | undefined
  onAdded: (config: Config) => void
}) {
  const state = proxy<AddFormState>({
    status: 'idle',
    form: emptyForm(),
    shownProblems: [],
    error: null,
    discovery: null,
    signIns: [],
    isForReading: false,
  })
  /** Address of the last lookup, and whether the user entered a server. */
  let askedAddress = ''
  let isServerTyped = false
  /** Until the user selects a provider, the address selects it. */
  let isProviderChosen = false

  function write(change: Partial<ConfigForm>): void {
    if (change.provider !== undefined) isProviderChosen = true
    if ((['smtp_host', 'smtp_port', 'smtp_security'] as const).some((name) => change[name] !== undefined))
      isServerTyped = true
    Object.assign(state.form, change)
    if (state.status !== 'adding') state.status = 'idle'
  }

  const calls = () => import('./provider-store.ts')

  /** Looks up the mail server of the address's domain, once for each address, and fills the fields that the user has not edited. */
  async function discover(): Promise<void> {
    const { form } = state
    const address = form.email_address.trim()
    const isAskable = form.provider === 'other' && address !== sandboxAddress && !problemsOf(form).email_address
    if (!isAskable || address === askedAddress) return
    askedAddress = address
    state.discovery = 'looking'
    const found = await calls().then(({ findServer }) => findServer(session, address))
    if (askedAddress !== address) return
    state.discovery = found ?? 'none'
    // An SRV record for a host in another domain may be forged: the user decides.
    if (found?.is_sure === true && !isServerTyped) takeServer(found)
  }

  function takeServer({ smtp_host, smtp_port, smtp_security }: NonNullable<DiscoveredServer['server']>): void {
    Object.assign(state.form, { smtp_host, smtp_port: String(smtp_port), smtp_security })
  }

  /** Does what ends with a connected mailbox or a reason why not. */
  async function connect(work: () => Promise<Config>): Promise<void> {
    Object.assign(state, { status: 'adding', error: null })
    const sent = JSON.stringify(state.form)
    try {
      const config = await work()
      // What was typed meanwhile stays.
      if (JSON.stringify(state.form) === sent) {
        isProviderChosen = false
        isServerTyped = false
        askedAddress = ''
        Object.assign(state, { form: emptyForm(), discovery: null })
      }
      state.status = 'added'
      onAdded(config)
    } catch (error) {
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  return {
    state,
    write(change: Partial<ConfigForm>) {
      write(change)
      if (change.provider !== undefined) void discover()
    },
    takeServer,
    /** Loads the providers with a sign-in, and completes a sign-in after the redirect. */
    async start(): Promise<void> {
      if (!signIn) return
      const { finishSignIn, listSignIns } = await calls()
      const { returned } = signIn
      signIn.returned = null
      void listSignIns(session).then((providers) => (state.signIns = providers))
      if (returned !== null) await connect(() => finishSignIn(session, returned))
    },
    setForReading: (isForReading: boolean) => (state.isForReading = isForReading),
    /** Leads to the provider, where the owner of the address signs in. */
    async signInAtProvider(): Promise<void> {
      const { email_address, provider } = state.form
      state.shownProblems = ['email_address']
      if (problemsOf(state.form).email_address || state.status === 'adding' || !signIn) return
      Object.assign(state, { status: 'adding', error: null })
      try {
        const { startSignIn } = await calls()
        signIn.go(
          await startSignIn(session, {
            email_address: email_address.trim(),
            provider: provider as SignInProvider,
            ...(state.isForReading && { reading: true }),
          }),
        )
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
      }
    },
    /** A field was left: from now on its problem shows. */
    leave(field: FormField) {
      const domain = state.form.email_address.trim().toLowerCase().split('@')[1] ?? ''
      const provider = domains[domain]
      if (field === 'email_address' && !isProviderChosen && provider !== undefined) state.form.provider = provider
      if (field === 'email_address') void discover()
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
      await connect(() => addEmailConfig(session, payloadOf(form)))
    },
  }
}

/** What keeps a form from being sent, by field. A mail server that is left out is found by the server. */
export function problemsOf({ email_address, provider, app_password, smtp_port }: Readonly<ConfigForm>) {
  const problems: Partial<Record<FormField, PlainMessageId>> = {}
  const address = email_address.trim()
  if (address === '') problems.email_address = 'Email address is required'
  else if (!/^[^\s@]+@[^\s@]+$/.test(address)) problems.email_address = 'Write it as name@example.com'
  if (app_password.trim() === '') problems.app_password = 'App password is required'
  if (provider !== 'other' || address === sandboxAddress) return problems
  if (!/^\d{1,5}$/.test(smtp_port.trim()) || Number(smtp_port) > 65_535)
    problems.smtp_port = 'Enter a number: 587 or 465'
  return problems
}

const labels: readonly (readonly [name: string, label: PlainMessageId])[] = [
  ['email_address', 'Email address'],
  ['app_password', 'App password'],
  ['smtp_host', 'Mail server'],
  ['smtp_port', 'Port'],
  ['smtp_security', 'Security'],
]

/** An error text with the labels of the form in place of the API's names of fields. */
export function labelled(t: Translate<MessageId>, text: string): string {
  return labels.reduce((labelledText, [name, label]) => labelledText.replaceAll(name, `“${t(label)}”`), text)
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
