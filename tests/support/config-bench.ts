import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Session } from '../../client/core/http.ts'
import type { Config } from '../../contract/mail/config.ts'
import { mountConfigManager, type ConfigManagerMount } from '../../widgets/config-manager/config-manager-element.tsx'
import { startApi, type ApiServer } from './api-server.ts'
import { sampleConfig } from './samples.ts'
import { collectToasts, openWidget, testSession, type WidgetPage } from './widget-page.ts'

/** The second of the two mailboxes. */
export const shop = sampleConfig({
  id: 'cfg_2',
  email_address: 'shop@northwind.example',
  provider: 'yahoo',
  secret_key: 'ck_second',
})

/** A mailbox manager in a simulated page, with a server of its own that responds as the contract describes. */
export interface ConfigBench {
  readonly api: ApiServer
  readonly page: WidgetPage
  readonly session: Session
  readonly toasts: ReturnType<typeof collectToasts>['toasts']
  /** The copied text. */
  readonly copied: string[]
  /** Sets the mailboxes of the server. */
  list(mailboxes: Config[]): void
  open(options?: ConfigManagerMount['options']): Promise<void>
  /** Opens it and waits for its rows. */
  ready(options?: ConfigManagerMount['options']): Promise<void>
  fill(address?: string, password?: string): void
  submit(): void
  alerts(): string
  /** Create calls that reached the server. */
  adds(): ApiServer['received']
  rows(): (string | null)[]
}

/** Registers the hooks of a test file for the mailbox manager. */
export function configBench(): ConfigBench {
  let api: ApiServer
  let page: WidgetPage
  let session: Session
  let toasts: ReturnType<typeof collectToasts>
  let copied: string[]
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())
  beforeEach(() => {
    api.received.length = 0
    bench.list([sampleConfig(), shop])
    api.on('addEmailConfig', ({ body }) => ({
      status: 201,
      json: sampleConfig({ ...(body as Config), id: 'cfg_new' }),
    }))
    api.on('deleteEmailConfig', { status: 204 })
    api.on('listConfigUsage', { json: [], headers: { 'X-Total-Count': '0' } })
    api.on('discoverMailServer', { json: { server: null } })
    api.on('listMailboxSignIns', { json: [] })
    toasts = collectToasts()
    copied = []
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
    })
  })
  afterEach(() => page.leave())

  const bench: ConfigBench = {
    get api() {
      return api
    },
    get page() {
      return page
    },
    get session() {
      return session
    },
    get toasts() {
      return toasts.toasts
    },
    get copied() {
      return copied
    },
    list(mailboxes) {
      api.on('listEmailConfigs', { json: mailboxes, headers: { 'X-Total-Count': String(mailboxes.length) } })
    },
    async open(options = {}) {
      session = testSession(api.url)
      page = openWidget((element) => mountConfigManager(element, { session, notify: toasts.notify, options }))
      await page.until(() => page.field('Email address'))
    },
    async ready(options) {
      await bench.open(options)
      await page.until(() => page.text().includes('shop@northwind.example'))
    },
    fill(address = 'new@example.com', password = 'abcd efgh ijkl mnop') {
      page.type('Email address', address)
      page.type('App password', password)
    },
    submit() {
      const submitted = new Event('submit', { bubbles: true, cancelable: true, composed: true })
      page.root().querySelector('form')?.dispatchEvent(submitted)
    },
    alerts: () => [...page.root().querySelectorAll('[role=alert]')].map((alert) => alert.textContent).join(' '),
    adds: () => api.received.filter((one) => one.method === 'POST' && one.path === '/email/config'),
    rows: () => [...page.root().querySelectorAll('tbody tr')].map((row) => row.textContent),
  }
  return bench
}
