import { describe, expect, it } from 'vitest'
import { mailboxList } from '../../client/mail/mailbox-list.ts'
import { configBench, shop } from '../../tests/support/config-bench.ts'
import { sampleConfig } from '../../tests/support/samples.ts'

const bench = configBench()

describe('the list', () => {
  it('CONFIG-09 CONFIG-10 has the title Email Configs and the link New Config, which opens the form', async () => {
    await bench.ready()
    expect(bench.page.root().querySelector('h2')?.textContent).toBe('Email Configs')
    bench.page.click('New Config')
    await bench.page.until(() => (bench.page.root() as ShadowRoot).activeElement === bench.page.field('Email address'))
  })

  it('CONFIG-11 shows the count of active configurations', async () => {
    bench.list([sampleConfig(), shop, sampleConfig({ id: 'cfg_3', status: 'paused', pause_reason: 'Refused.' })])
    await bench.ready()
    expect(bench.page.text()).toContain('2 active')
  })

  it('CONFIG-12 CONFIG-13 CONFIG-14 shows address, provider and masked key in each row', async () => {
    await bench.ready()
    await bench.page.until(() => bench.rows().length === 2)
    expect(bench.rows()[1]).toContain('shop@northwind.example')
    expect(bench.rows()[1]).toContain('yahoo')
    expect(bench.rows()[1]).toContain('ck_••••••••')
    expect(bench.page.text()).not.toContain('ck_second')
  })

  it('CONFIG-15 shows N/A for a row without a secret key, and nothing to copy', async () => {
    bench.list([{ ...shop, secret_key: null }])
    await bench.ready()
    await bench.page.until(() => bench.rows()[0]?.includes('N/A'))
    expect(bench.page.root().querySelector('[aria-label^="Copy"]')).toBeNull()
  })

  it('CONFIG-16 ERRORS-20 copies the secret key and shows Copied to clipboard', async () => {
    await bench.ready()
    await bench.page.until(() => bench.page.button('Copy key of shop@northwind.example'))
    bench.page.click('Copy key of shop@northwind.example')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.copied).toEqual(['ck_second'])
    expect(bench.toasts).toEqual([{ kind: 'success', text: 'Copied to clipboard' }])
  })

  it('CONFIG-20 has a loading state', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('listEmailConfigs', async () => {
      await answer.promise
      return { json: [] }
    })
    await bench.open()
    expect(bench.page.root().querySelector('[role=status]')?.textContent).toContain('Loading...')
    answer.resolve(undefined)
    await bench.page.until(() => bench.page.text().includes('No configurations'))
  })

  it('CONFIG-21 CONFIG-22 has an empty state with a Create Config action, which opens the form', async () => {
    bench.list([])
    await bench.open()
    await bench.page.until(() => bench.page.text().includes('No configurations'))
    bench.page.click('Create Config')
    await bench.page.until(() => (bench.page.root() as ShadowRoot).activeElement === bench.page.field('Email address'))
  })

  it('CONFIG-23 is the session’s own, under email-config', async () => {
    await bench.ready()
    expect(bench.session.shared.get('email-config')).toBe(mailboxList(bench.session))
    mailboxList(bench.session).put(sampleConfig({ id: 'cfg_9', email_address: 'other-tab@northwind.example' }))
    await bench.page.until(() => bench.page.text().includes('other-tab@northwind.example'))
  })

  it('ERRORS-10 ERRORS-11 a load failure shows the error text and Try Again', async () => {
    bench.api.on('listEmailConfigs', { status: 503, json: { detail: 'The service is starting.' } })
    await bench.open()
    await bench.page.until(() => bench.page.text().includes('The service is starting.'))
    bench.list([shop])
    bench.page.click('Try Again')
    await bench.page.until(() => bench.page.text().includes('shop@northwind.example'))
  })

  it('shows why one is paused, and connects it again with the address filled in', async () => {
    bench.list([{ ...shop, status: 'paused', pause_reason: 'Yahoo refused the app password.' }])
    await bench.ready()
    await bench.page.until(() => bench.page.text().includes('Paused. Yahoo refused the app password.'))
    bench.page.click('Connect again')
    await bench.page.until(() => bench.page.field('Email address').value === 'shop@northwind.example')
    expect(bench.page.select('Provider').value).toBe('yahoo')
    await bench.page.until(() => (bench.page.root() as ShadowRoot).activeElement === bench.page.field('App password'))
  })

  it('finds a mailbox in a long list, and shows it page by page', async () => {
    bench.list(
      Array.from({ length: 130 }, (_, at) => sampleConfig({ id: `cfg_${at}`, email_address: `box-${at}@example.com` })),
    )
    await bench.open()
    await bench.page.until(() => bench.rows().length === 100)
    bench.page.click('Show more')
    await bench.page.until(() => bench.rows().length === 130)
    bench.page.type('Find a mailbox', 'box-77@')
    await bench.page.until(() => bench.rows().length === 1)
  })
})

describe('deleting', () => {
  const ask = async () => {
    await bench.ready()
    await bench.page.until(() => bench.page.button('Delete shop@northwind.example'))
    bench.page.click('Delete shop@northwind.example')
    await bench.page.until(() => bench.page.text().includes('Delete Confirmation'))
  }

  it('CONFIG-17 CONFIG-18 CONFIG-19 asks for confirmation, lists what is lost, and that it cannot be undone', async () => {
    await ask()
    expect(bench.page.root().querySelector('dialog h2')?.textContent).toBe('Delete Confirmation')
    expect(bench.page.root().querySelector('dialog')?.textContent).toContain(
      'shop@northwind.example will be disconnected',
    )
    expect(bench.page.root().querySelector('dialog')?.textContent).toContain('This cannot be undone.')
  })

  it('removes the row once the server has deleted it', async () => {
    await ask()
    bench.page.click('Delete')
    await bench.page.until(() => bench.rows().length === 1)
    expect(bench.api.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/email/configs/cfg_2' })
    expect(bench.toasts).toEqual([{ kind: 'info', text: 'shop@northwind.example is disconnected' }])
    await bench.page.until(() => bench.page.root().querySelector('dialog') === null)
  })

  it('ERRORS-33 shows a failure as a toast and keeps the row', async () => {
    bench.api.on('deleteEmailConfig', { status: 503, json: { detail: 'The service is stopping.' } })
    await ask()
    bench.page.click('Delete')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts).toEqual([{ kind: 'error', text: 'The service is stopping.' }])
    expect(bench.rows()).toHaveLength(2)
  })

  it('Cancel changes nothing', async () => {
    await ask()
    bench.page.click('Cancel')
    await bench.page.until(() => bench.page.root().querySelector('dialog') === null)
    expect(bench.api.received.some((one) => one.method === 'DELETE')).toBe(false)
  })
})
