import { describe, expect, it } from 'vitest'
import { configBench } from '../../tests/support/config-bench.ts'
import { sampleConfig } from '../../tests/support/samples.ts'

const bench = configBench()

describe('the add form', () => {
  it('CONFIG-01 has an email address field of input type email', async () => {
    await bench.ready()
    expect(bench.page.field('Email address').type).toBe('email')
    expect(bench.page.field('Email address').required).toBe(true)
  })

  it('CONFIG-02 LIMITS-03 LIMITS-04 has a provider select with gmail first, then outlook, yahoo and other', async () => {
    await bench.ready()
    const select = bench.page.select('Provider')
    expect(select.value).toBe('gmail')
    expect([...select.options].map((option) => option.textContent)).toEqual(['gmail', 'outlook', 'yahoo', 'other'])
  })

  it('CONFIG-03 has an app password field that shows nothing of what is typed', async () => {
    await bench.ready()
    expect(bench.page.field('App password').type).toBe('password')
  })

  it.each([
    ['gmail', '2-Step Verification'],
    ['outlook', 'Microsoft ended app passwords for personal accounts'],
    ['yahoo', 'Generate app password'],
    ['other', 'port 465, or 587 with STARTTLS'],
  ])('CONFIG-04 gives guidance on app passwords for %s', async (provider, sentence) => {
    await bench.ready()
    bench.page.choose('Provider', provider)
    await bench.page.until(() => bench.page.text().includes(sentence))
  })

  it('CONFIG-05 the email address is required', async () => {
    await bench.ready()
    bench.fill('', 'secret')
    bench.submit()
    await bench.page.until(() => bench.page.text().includes('Email address is required'))
    expect(bench.adds()).toEqual([])
  })

  it('CONFIG-06 the app password is required', async () => {
    await bench.ready()
    bench.fill('new@example.com', '')
    bench.submit()
    await bench.page.until(() => bench.page.text().includes('App password is required'))
    expect(bench.adds()).toEqual([])
  })

  it('CONFIG-07 a successful add shows the banner, the row, and an empty form', async () => {
    await bench.ready()
    bench.fill()
    bench.submit()
    await bench.page.until(() => bench.alerts().includes('Email configuration successfully added!'))
    expect(bench.adds()[0]?.body).toEqual({
      email_address: 'new@example.com',
      provider: 'gmail',
      app_password: 'abcd efgh ijkl mnop',
    })
    await bench.page.until(() => bench.rows().length === 3)
    expect(bench.page.field('Email address').value).toBe('')
    expect(bench.page.field('App password').value).toBe('')
  })

  it('CONFIG-08 a failed add shows the error text and keeps what was typed', async () => {
    bench.api.on('addEmailConfig', {
      status: 400,
      json: { detail: 'Gmail refused this app password. Make a new one.' },
    })
    await bench.ready()
    bench.fill()
    bench.submit()
    await bench.page.until(() => bench.alerts().includes('Gmail refused this app password. Make a new one.'))
    expect(bench.page.field('Email address').value).toBe('new@example.com')
    expect(bench.page.field('App password').value).toBe('abcd efgh ijkl mnop')
  })

  it('says that it connects while the server logs in, and sends once', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('addEmailConfig', async () => {
      await answer.promise
      return { status: 201, json: sampleConfig({ id: 'cfg_new' }) }
    })
    await bench.ready()
    bench.fill()
    bench.submit()
    bench.submit()
    await bench.page.until(() => bench.page.text().includes('Connecting...'))
    answer.resolve(undefined)
    await bench.page.until(() => bench.alerts() !== '')
    expect(bench.adds()).toHaveLength(1)
  })

  it('asks for host, port and security under other', async () => {
    await bench.ready()
    bench.fill('me@own.example', 'secret')
    bench.page.choose('Provider', 'other')
    await bench.page.until(() => bench.page.field('Mail server'))
    bench.page.type('Port', '465')
    bench.page.type('Mail server', 'smtp.own.example')
    bench.page.choose('Security', 'tls')
    bench.submit()
    await bench.page.until(() => bench.adds().length === 1)
    expect(bench.adds()[0]?.body).toEqual({
      email_address: 'me@own.example',
      provider: 'other',
      app_password: 'secret',
      smtp_host: 'smtp.own.example',
      smtp_port: 465,
      smtp_security: 'tls',
    })
  })

  it('lets the server find the mail server where none is named', async () => {
    await bench.ready()
    bench.fill('me@own.example', 'secret')
    bench.page.choose('Provider', 'other')
    await bench.page.until(() => bench.page.field('Mail server'))
    bench.submit()
    await bench.page.until(() => bench.adds().length === 1)
    const body = { email_address: 'me@own.example', provider: 'other', app_password: 'secret' }
    expect(bench.adds()[0]?.body).toEqual(body)
  })

  it('takes the provider from the address until one is chosen', async () => {
    await bench.ready()
    bench.page.type('Email address', 'me@yahoo.com')
    bench.page.field('Email address').dispatchEvent(new Event('focusout', { bubbles: true, composed: true }))
    bench.page.field('Email address').dispatchEvent(new Event('blur'))
    await bench.page.until(() => bench.page.select('Provider').value === 'yahoo')
  })

  it('fills in the sandbox mailbox where the server has its sandbox on', async () => {
    await bench.ready({ sandbox: true })
    bench.page.click('Use sandbox@localhost')
    await bench.page.until(() => bench.page.field('Email address').value === 'sandbox@localhost')
    bench.submit()
    await bench.page.until(() => bench.adds().length === 1)
    expect(bench.adds()[0]?.body).toMatchObject({ email_address: 'sandbox@localhost', provider: 'other' })
  })

  it('says nothing of a sandbox where there is none', async () => {
    await bench.ready()
    expect(bench.page.text()).not.toContain('sandbox')
  })

  it('fires sendwright:config-saved without any secret', async () => {
    await bench.ready()
    const details: unknown[] = []
    bench.page.element.addEventListener('sendwright:config-saved', (event) =>
      details.push((event as CustomEvent).detail),
    )
    bench.fill()
    bench.submit()
    await bench.page.until(() => details.length === 1)
    expect(details).toEqual([{ id: 'cfg_new', email_address: 'new@example.com' }])
  })
})
