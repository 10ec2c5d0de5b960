import { afterEach, beforeEach } from 'vitest'
import { mountCompose, type ComposeMount } from '../../widgets/compose/compose-element.tsx'
import { startApi, type ApiServer } from './api-server.ts'
import { progressEvents } from './progress-events.ts'
import { sampleConfig, sampleMessage } from './samples.ts'
import { collectToasts, openWidget, testSession, type WidgetPage } from './widget-page.ts'

/** Response to an accepted send. */
export const accepted = {
  message: 'Email sent successfully to 1 recipients',
  id: 'msg_1',
  accepted: 1,
  suppressed: 0,
}
/** The second of the two mailboxes. */
export const second = sampleConfig({ id: 'cfg_2', email_address: 'shop@northwind.example', secret_key: 'ck_second' })
/** Name of the message body. */
export const body = 'Message body'

/** A composer in a simulated page, with a server of its own that responds as the contract describes. */
export interface ComposeBench {
  readonly api: ApiServer
  readonly page: WidgetPage
  readonly toasts: ReturnType<typeof collectToasts>['toasts']
  open(options?: ComposeMount['options']): void
  /** Opens it and waits for its senders. */
  ready(options?: ComposeMount['options']): Promise<void>
  addRecipient(text: string): Promise<void>
  /** Pastes into the recipients box and returns whether the box handled the event. */
  paste(text: string): boolean
  /** Writes a whole message. */
  fill(): Promise<void>
  launch(): HTMLButtonElement
  chips(): (string | null)[]
  alerts(): string
  /** Sends that reached the server. */
  sends(): ApiServer['received']
}

/** Registers the hooks of a test file for the composer. */
export function composeBench(): ComposeBench {
  let api: ApiServer
  let page: WidgetPage
  let toasts: ReturnType<typeof collectToasts>
  // One per test: an unmounted composer still saves its draft.
  afterEach(() => api.close())
  beforeEach(async () => {
    api = await startApi()
    api.on('listEmailConfigs', { json: [sampleConfig(), second], headers: { 'X-Total-Count': '2' } })
    api.on('sendMailWithKey', { json: accepted })
    api.on('watchMessage', progressEvents(sampleMessage({ 'a@example.com': 'sent' })))
    toasts = collectToasts()
  })
  afterEach(() => page.leave())

  const bench: ComposeBench = {
    get api() {
      return api
    },
    get page() {
      return page
    },
    get toasts() {
      return toasts.toasts
    },
    open(options = {}) {
      const session = testSession(api.url)
      page = openWidget((element) =>
        mountCompose(element, { session, notify: toasts.notify, options: { mode: 'html', ...options } }),
      )
    },
    async ready(options) {
      bench.open(options)
      await page.until(() => page.text().includes('shop@northwind.example'))
    },
    async addRecipient(text) {
      const before = bench.chips().length
      page.type('Recipients', text)
      page.press(page.field('Recipients'), 'Enter')
      await page.until(() => bench.chips().length > before)
    },
    paste(text) {
      const paste = Object.assign(new Event('paste', { bubbles: true, composed: true, cancelable: true }), {
        clipboardData: { getData: () => text },
      })
      page.field('Recipients').dispatchEvent(paste)
      return paste.defaultPrevented
    },
    async fill() {
      page.choose('From', 'ck_second')
      page.type('Subject Line', 'Doors open Thursday')
      page.type(body, 'Dear friend')
      await bench.addRecipient('a@example.com')
      await page.until(() => !bench.launch().disabled)
    },
    launch: () => page.root().querySelector<HTMLButtonElement>('button[type=submit]')!,
    chips: () => [...page.root().querySelectorAll('.chip > span')].map((chip) => chip.textContent),
    alerts: () => [...page.root().querySelectorAll('[role=alert]')].map((alert) => alert.textContent).join(' '),
    sends: () => api.received.filter((one) => one.path.startsWith('/email/send-mail/')),
  }
  return bench
}
