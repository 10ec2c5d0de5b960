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

  it('CONFIG-03 has an app password field that hides its input', async () => {
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

  it('keeps what is typed while a mailbox is being added', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    bench.api.on('addEmailConfig', async () => {
      await promise
      return { status: 201, json: sampleConfig({ id: 'cfg_9', email_address: 'new@example.com' }) }
    })
    await bench.ready()
    bench.fill()
    bench.submit()
    await bench.page.until(() => bench.adds().length === 1)
    bench.page.type('Email address', 'next@example.com')
    resolve(undefined)
    await bench.page.until(() => bench.alerts().includes('Email configuration successfully added!'))
    expect(bench.page.field('Email address').value).toBe('next@example.com')
  })

  it('TRIAL-73 an error that names fields of the API shows them by their labels', async () => {
    const item = (field: string, msg: string) => ({ loc: ['body', field], msg, type: 'maximum' })
    bench.api.on('addEmailConfig', {
      status: 422,
      json: {
        detail: [item('smtp_port', 'smtp_port must be <= 65535'), item('smtp_host', 'smtp_host is too long')],
      },
    })
    await bench.ready()
    bench.fill()
    bench.submit()
    await bench.page.until(() => bench.alerts().includes('“Port” must be <= 65535. “Mail server” is too long.'))
    expect(bench.page.text()).not.toContain('smtp_')
  })

  it('CONFIG-08 a failed add shows the error text and keeps the input', async () => {
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

  it('shows that it connects while the server signs in, and sends once', async () => {
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

  it('shows host, port and security for provider other', async () => {
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

  it('leaves the discovery of the mail server to the server by default', async () => {
    await bench.ready()
    bench.fill('me@own.example', 'secret')
    bench.page.choose('Provider', 'other')
    await bench.page.until(() => bench.page.field('Mail server'))
    bench.submit()
    await bench.page.until(() => bench.adds().length === 1)
    const body = { email_address: 'me@own.example', provider: 'other', app_password: 'secret' }
    expect(bench.adds()[0]?.body).toEqual(body)
  })

  it('selects the provider by the address until one is chosen', async () => {
    await bench.ready()
    bench.page.type('Email address', 'me@yahoo.com')
    bench.page.field('Email address').dispatchEvent(new Event('focusout', { bubbles: true, composed: true }))
    bench.page.field('Email address').dispatchEvent(new Event('blur'))
    await bench.page.until(() => bench.page.select('Provider').value === 'yahoo')
  })

  it('fills in the sandbox mailbox when the server has its sandbox on', async () => {
    await bench.ready({ sandbox: true })
    bench.page.click('Use sandbox@localhost')
    await bench.page.until(() => bench.page.field('Email address').value === 'sandbox@localhost')
    bench.submit()
    await bench.page.until(() => bench.adds().length === 1)
    expect(bench.adds()[0]?.body).toMatchObject({ email_address: 'sandbox@localhost', provider: 'other' })
  })

  it('does not mention the sandbox when it is off', async () => {
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

describe('the mail server of another provider', () => {
  const discovered = (isSure: boolean) => ({
    json: { server: { smtp_host: 'mx.own.example', smtp_port: 465, smtp_security: 'tls', is_sure: isSure } },
  })
  const choose = async (address = 'me@own.example') => {
    await bench.ready()
    bench.fill(address, 'secret')
    bench.page.choose('Provider', 'other')
    await bench.page.until(() => bench.page.field('Mail server'))
  }

  it("is filled in from the domain's lookup", async () => {
    bench.api.on('discoverMailServer', discovered(true))
    await choose()
    await bench.page.until(() => bench.page.field('Mail server').value === 'mx.own.example')
    expect([bench.page.field('Port').value, bench.page.select('Security').value]).toEqual(['465', 'tls'])
    expect(bench.page.text()).toContain('The domain names mx.own.example.')
  })

  it('is suggested, not filled in, when only DNS names a host elsewhere', async () => {
    bench.api.on('discoverMailServer', discovered(false))
    await choose()
    await bench.page.until(() => bench.page.text().includes('a host elsewhere'))
    expect(bench.page.field('Mail server').value).toBe('')
    bench.page.click('Use it')
    await bench.page.until(() => bench.page.field('Mail server').value === 'mx.own.example')
  })

  it("keeps the user's input", async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('discoverMailServer', async () => {
      await answer.promise
      return discovered(true)
    })
    await choose()
    bench.page.type('Mail server', 'smtp.mine.example')
    answer.resolve(undefined)
    await bench.page.until(() => bench.page.text().includes('The domain names mx.own.example.'))
    expect(bench.page.field('Mail server').value).toBe('smtp.mine.example')
  })

  it('shows an error when the domain has none, and when the lookup fails', async () => {
    bench.api.on('discoverMailServer', { status: 429, json: { detail: 'Too many attempts.' } })
    await choose()
    await bench.page.until(() => bench.page.text().includes('The domain names no mail server.'))
  })
})

describe('signing in at the provider', () => {
  const signIn = (returned: { code: string; state: string } | 'refused' | null = null) => {
    const went: string[] = []
    return { went, options: { signIn: { go: (url: string) => went.push(url), returned } } }
  }

  it('is offered when the server is configured for it and the page can redirect', async () => {
    bench.api.on('listMailboxSignIns', { json: ['gmail'] })
    await bench.ready(signIn().options)
    await bench.page.until(() => bench.page.button('Sign in with Google'))
    bench.page.choose('Provider', 'outlook')
    await bench.page.until(() => !bench.page.text().includes('Sign in with'))
  })

  it('is not offered in a page without a return URL', async () => {
    bench.api.on('listMailboxSignIns', { json: ['gmail', 'outlook'] })
    await bench.ready()
    await bench.page.until(() => bench.rows().length === 2)
    expect(bench.api.received.some(({ path }) => path === '/email/config/sign-in')).toBe(false)
    expect(bench.page.text()).not.toContain('Sign in with')
  })

  it('requires the address, then redirects to the provider', async () => {
    bench.api.on('listMailboxSignIns', { json: ['outlook'] })
    bench.api.on('startMailboxSignIn', { json: { url: 'https://login.example/authorize' } })
    const { went, options } = signIn()
    await bench.ready(options)
    bench.page.choose('Provider', 'outlook')
    await bench.page.until(() => bench.page.button('Sign in with Microsoft'))
    bench.page.click('Sign in with Microsoft')
    await bench.page.until(() => bench.page.text().includes('Email address is required'))
    expect(went).toEqual([])
    bench.page.type('Email address', 'me@hotmail.com')
    bench.page.click('Sign in with Microsoft')
    await bench.page.until(() => went.length === 1)
    expect(went).toEqual(['https://login.example/authorize'])
    expect(bench.api.received.at(-1)?.body).toEqual({ email_address: 'me@hotmail.com', provider: 'outlook' })
  })

  it('ends with a connected mailbox when its owner returns', async () => {
    bench.api.on('finishMailboxSignIn', { status: 201, json: sampleConfig({ id: 'cfg_new' }) })
    await bench.open(signIn({ code: 'c', state: 's' }).options)
    await bench.page.until(() => bench.alerts().includes('Email configuration successfully added!'))
    await bench.page.until(() => bench.rows().length === 3)
  })

  it.each([
    ['was refused there', 'refused' as const, 'The sign-in at the provider was not completed. Start it again.'],
    ['does not hold here', { code: 'c', state: 's' }, 'The mail server did not take the sign-in.'],
  ])('shows the reason when it %s', async (_what, returned, sentence) => {
    bench.api.on('finishMailboxSignIn', { status: 400, json: { detail: 'The mail server did not take the sign-in.' } })
    await bench.open(signIn(returned).options)
    await bench.page.until(() => bench.alerts().includes(sentence))
  })
})
