import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configList } from '../../client/config-list.ts'
import type { Session } from '../../client/http.ts'
import type { Config } from '../../contract/config.ts'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { sampleConfig } from '../../tests/support/samples.ts'
import { collectToasts, openWidget, testSession, type WidgetPage } from '../../tests/support/widget-page.ts'
import { mountConfigManager, type ConfigManagerMount } from './config-manager-element.tsx'

const shop = sampleConfig({
  id: 'cfg_2',
  email_address: 'shop@northwind.example',
  provider: 'yahoo',
  secret_key: 'ck_second',
})

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
  list([sampleConfig(), shop])
  api.on('addEmailConfig', ({ body }) => ({ status: 201, json: sampleConfig({ ...(body as Config), id: 'cfg_new' }) }))
  api.on('deleteEmailConfig', { status: 204 })
  toasts = collectToasts()
  copied = []
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
  })
})
afterEach(() => page.leave())

function list(configs: Config[]): void {
  api.on('listEmailConfigs', { json: configs, headers: { 'X-Total-Count': String(configs.length) } })
}
async function open(options: ConfigManagerMount['options'] = {}): Promise<void> {
  session = testSession(api.url)
  page = openWidget((element) => mountConfigManager(element, { session, notify: toasts.notify, options }))
  await page.until(() => page.field('Email address'))
}
async function ready(options?: ConfigManagerMount['options']): Promise<void> {
  await open(options)
  await page.until(() => page.text().includes('shop@northwind.example'))
}
function fill(address = 'new@example.com', password = 'abcd efgh ijkl mnop'): void {
  page.type('Email address', address)
  page.type('App password', password)
}
function submit(): void {
  page
    .root()
    .querySelector('form')
    ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true, composed: true }))
}
const alerts = () => [...page.root().querySelectorAll('[role=alert]')].map((alert) => alert.textContent).join(' ')
const adds = () => api.received.filter((one) => one.method === 'POST')
const rows = () => [...page.root().querySelectorAll('tbody tr')].map((row) => row.textContent)

describe('the add form', () => {
  it('CONFIG-01 has an email address field of input type email', async () => {
    await ready()
    expect(page.field('Email address').type).toBe('email')
    expect(page.field('Email address').required).toBe(true)
  })

  it('CONFIG-02 LIMITS-03 LIMITS-04 has a provider select with gmail first, then outlook, yahoo and other', async () => {
    await ready()
    const select = page.select('Provider')
    expect(select.value).toBe('gmail')
    expect([...select.options].map((option) => option.textContent)).toEqual(['gmail', 'outlook', 'yahoo', 'other'])
  })

  it('CONFIG-03 has an app password field that shows nothing of what is typed', async () => {
    await ready()
    expect(page.field('App password').type).toBe('password')
  })

  it.each([
    ['gmail', '2-Step Verification'],
    ['outlook', 'Microsoft ended app passwords for personal accounts'],
    ['yahoo', 'Generate app password'],
    ['other', 'port 465, or 587 with STARTTLS'],
  ])('CONFIG-04 gives guidance on app passwords for %s', async (provider, sentence) => {
    await ready()
    page.choose('Provider', provider)
    await page.until(() => page.text().includes(sentence))
  })

  it('CONFIG-05 the email address is required', async () => {
    await ready()
    fill('', 'secret')
    submit()
    await page.until(() => page.text().includes('Email address is required'))
    expect(adds()).toEqual([])
  })

  it('CONFIG-06 the app password is required', async () => {
    await ready()
    fill('new@example.com', '')
    submit()
    await page.until(() => page.text().includes('App password is required'))
    expect(adds()).toEqual([])
  })

  it('CONFIG-07 a successful add shows the banner, the row, and an empty form', async () => {
    await ready()
    fill()
    submit()
    await page.until(() => alerts().includes('Email configuration successfully added!'))
    expect(adds()[0]?.body).toEqual({
      email_address: 'new@example.com',
      provider: 'gmail',
      app_password: 'abcd efgh ijkl mnop',
    })
    await page.until(() => rows().length === 3)
    expect(page.field('Email address').value).toBe('')
    expect(page.field('App password').value).toBe('')
  })

  it('CONFIG-08 a failed add shows the error text and keeps what was typed', async () => {
    api.on('addEmailConfig', { status: 400, json: { detail: 'Gmail refused this app password. Make a new one.' } })
    await ready()
    fill()
    submit()
    await page.until(() => alerts().includes('Gmail refused this app password. Make a new one.'))
    expect(page.field('Email address').value).toBe('new@example.com')
    expect(page.field('App password').value).toBe('abcd efgh ijkl mnop')
  })

  it('says that it connects while the server logs in, and sends once', async () => {
    const answer = Promise.withResolvers<undefined>()
    api.on('addEmailConfig', async () => {
      await answer.promise
      return { status: 201, json: sampleConfig({ id: 'cfg_new' }) }
    })
    await ready()
    fill()
    submit()
    submit()
    await page.until(() => page.text().includes('Connecting...'))
    answer.resolve(undefined)
    await page.until(() => alerts() !== '')
    expect(adds()).toHaveLength(1)
  })

  it('asks for host, port and security under other', async () => {
    await ready()
    fill('me@own.example', 'secret')
    page.choose('Provider', 'other')
    await page.until(() => page.field('Mail server'))
    page.type('Port', '465')
    submit()
    await page.until(() => page.text().includes('Name the mail server'))
    page.type('Mail server', 'smtp.own.example')
    page.choose('Security', 'tls')
    submit()
    await page.until(() => adds().length === 1)
    expect(adds()[0]?.body).toEqual({
      email_address: 'me@own.example',
      provider: 'other',
      app_password: 'secret',
      smtp_host: 'smtp.own.example',
      smtp_port: 465,
      smtp_security: 'tls',
    })
  })

  it('takes the provider from the address until one is chosen', async () => {
    await ready()
    page.type('Email address', 'me@yahoo.com')
    page.field('Email address').dispatchEvent(new Event('focusout', { bubbles: true, composed: true }))
    page.field('Email address').dispatchEvent(new Event('blur'))
    await page.until(() => page.select('Provider').value === 'yahoo')
  })

  it('fills in the sandbox mailbox where the server has its sandbox on', async () => {
    await ready({ sandbox: true })
    page.click('Use sandbox@localhost')
    await page.until(() => page.field('Email address').value === 'sandbox@localhost')
    submit()
    await page.until(() => adds().length === 1)
    expect(adds()[0]?.body).toMatchObject({ email_address: 'sandbox@localhost', provider: 'other' })
  })

  it('says nothing of a sandbox where there is none', async () => {
    await ready()
    expect(page.text()).not.toContain('sandbox')
  })

  it('fires sendwright:config-saved without any secret', async () => {
    await ready()
    const details: unknown[] = []
    page.element.addEventListener('sendwright:config-saved', (event) => details.push((event as CustomEvent).detail))
    fill()
    submit()
    await page.until(() => details.length === 1)
    expect(details).toEqual([{ id: 'cfg_new', email_address: 'new@example.com' }])
  })
})

describe('the list', () => {
  it('CONFIG-09 CONFIG-10 has the title Email Configs and the link New Config, which goes to the form', async () => {
    await ready()
    expect(page.root().querySelector('h2')?.textContent).toBe('Email Configs')
    page.click('New Config')
    await page.until(() => (page.root() as ShadowRoot).activeElement === page.field('Email address'))
  })

  it('CONFIG-11 shows the count of active configurations', async () => {
    list([sampleConfig(), shop, sampleConfig({ id: 'cfg_3', status: 'paused', pause_reason: 'Refused.' })])
    await ready()
    expect(page.text()).toContain('2 active')
  })

  it('CONFIG-12 CONFIG-13 CONFIG-14 shows address, provider and masked key in each row', async () => {
    await ready()
    await page.until(() => rows().length === 2)
    expect(rows()[1]).toContain('shop@northwind.example')
    expect(rows()[1]).toContain('yahoo')
    expect(rows()[1]).toContain('ck_••••••••')
    expect(page.text()).not.toContain('ck_second')
  })

  it('CONFIG-15 shows N/A for a row without a secret key, and nothing to copy', async () => {
    list([{ ...shop, secret_key: null }])
    await ready()
    await page.until(() => rows()[0]?.includes('N/A'))
    expect(page.root().querySelector('[aria-label^="Copy"]')).toBeNull()
  })

  it('CONFIG-16 ERRORS-20 copies the secret key and says Copied to clipboard', async () => {
    await ready()
    await page.until(() => page.button('Copy secret key of shop@northwind.example'))
    page.click('Copy secret key of shop@northwind.example')
    await page.until(() => toasts.toasts.length === 1)
    expect(copied).toEqual(['ck_second'])
    expect(toasts.toasts).toEqual([{ kind: 'success', text: 'Copied to clipboard' }])
  })

  it('CONFIG-20 has a loading state', async () => {
    const answer = Promise.withResolvers<undefined>()
    api.on('listEmailConfigs', async () => {
      await answer.promise
      return { json: [] }
    })
    await open()
    expect(page.root().querySelector('[role=status]')?.textContent).toContain('Loading...')
    answer.resolve(undefined)
    await page.until(() => page.text().includes('No configurations'))
  })

  it('CONFIG-21 CONFIG-22 has an empty state with a Create Config action, which goes to the form', async () => {
    list([])
    await open()
    await page.until(() => page.text().includes('No configurations'))
    page.click('Create Config')
    await page.until(() => (page.root() as ShadowRoot).activeElement === page.field('Email address'))
  })

  it('CONFIG-23 is the session’s own, under email-config', async () => {
    await ready()
    expect(session.shared.get('email-config')).toBe(configList(session))
    configList(session).put(sampleConfig({ id: 'cfg_9', email_address: 'other-tab@northwind.example' }))
    await page.until(() => page.text().includes('other-tab@northwind.example'))
  })

  it('ERRORS-10 ERRORS-11 a load failure shows the error text and Try Again', async () => {
    api.on('listEmailConfigs', { status: 503, json: { detail: 'The service is starting.' } })
    await open()
    await page.until(() => page.text().includes('The service is starting.'))
    list([shop])
    page.click('Try Again')
    await page.until(() => page.text().includes('shop@northwind.example'))
  })

  it('says why one is paused, and connects it again with the address filled in', async () => {
    list([{ ...shop, status: 'paused', pause_reason: 'Yahoo refused the app password.' }])
    await ready()
    await page.until(() => page.text().includes('Paused. Yahoo refused the app password.'))
    page.click('Connect again')
    await page.until(() => page.field('Email address').value === 'shop@northwind.example')
    expect(page.select('Provider').value).toBe('yahoo')
    await page.until(() => (page.root() as ShadowRoot).activeElement === page.field('App password'))
  })

  it('finds a mailbox in a long list, and shows it page by page', async () => {
    list(
      Array.from({ length: 130 }, (_, at) => sampleConfig({ id: `cfg_${at}`, email_address: `box-${at}@example.com` })),
    )
    await open()
    await page.until(() => rows().length === 100)
    page.click('Show more')
    await page.until(() => rows().length === 130)
    page.type('Find a mailbox', 'box-77@')
    await page.until(() => rows().length === 1)
  })
})

describe('deleting', () => {
  const ask = async () => {
    await ready()
    await page.until(() => page.button('Delete shop@northwind.example'))
    page.click('Delete shop@northwind.example')
    await page.until(() => page.text().includes('Delete Confirmation'))
  }

  it('CONFIG-17 CONFIG-18 CONFIG-19 asks first, names what is lost, and that it cannot be undone', async () => {
    await ask()
    expect(page.root().querySelector('dialog h2')?.textContent).toBe('Delete Confirmation')
    expect(page.root().querySelector('dialog')?.textContent).toContain('shop@northwind.example will be disconnected')
    expect(page.root().querySelector('dialog')?.textContent).toContain('This cannot be undone.')
  })

  it('takes the row out once the server has deleted it', async () => {
    await ask()
    page.click('Delete')
    await page.until(() => rows().length === 1)
    expect(api.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/email/configs/cfg_2' })
    expect(toasts.toasts).toEqual([{ kind: 'info', text: 'shop@northwind.example is disconnected' }])
    await page.until(() => page.root().querySelector('dialog') === null)
  })

  it('ERRORS-33 shows a failure as a toast and keeps the row', async () => {
    api.on('deleteEmailConfig', { status: 503, json: { detail: 'The service is stopping.' } })
    await ask()
    page.click('Delete')
    await page.until(() => toasts.toasts.length === 1)
    expect(toasts.toasts).toEqual([{ kind: 'error', text: 'The service is stopping.' }])
    expect(rows()).toHaveLength(2)
  })

  it('Cancel leaves everything as it was', async () => {
    await ask()
    page.click('Cancel')
    await page.until(() => page.root().querySelector('dialog') === null)
    expect(api.received.some((one) => one.method === 'DELETE')).toBe(false)
  })
})
