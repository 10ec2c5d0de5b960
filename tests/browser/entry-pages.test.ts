import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiServer } from '../support/api-server.ts'
import { connectBrowser } from '../support/browser.ts'
import { openDashboard, pathOf, signedInAnswers, startDashboard } from '../support/dashboard-page.ts'
import { sampleUser } from '../support/samples.ts'

let browser: Browser
let site: ApiServer
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInAnswers())) site.on(name, handler)
})

const requests = (path: string) => site.received.filter((one) => one.path === path)
const token = (page: Page) => page.evaluate(() => localStorage.getItem('access_token'))
async function signIn(page: Page, email = 'ada@example.com', password = 'secret'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

describe('/login', () => {
  const open = (path = '/login') => openDashboard(browser, site, { path })

  it('LOGIN-01 LOGIN-02 LOGIN-03 LOGIN-23 LOGIN-24 LOGIN-25 has email, password and Sign In, marked as they are', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password')]
    expect(await email.getAttribute('type')).toBe('email')
    expect(await email.evaluate((input: HTMLInputElement) => input.required)).toBe(true)
    expect(await password.evaluate((input: HTMLInputElement) => [input.type, input.required, input.minLength])).toEqual(
      ['password', true, 6],
    )
  })

  it('LOGIN-05 the link Sign up free goes to /signup', async () => {
    await using opened = await open()
    await opened.page.getByRole('link', { name: 'Sign up free' }).click()
    await opened.page.waitForURL('**/signup')
  })

  const problems: [row: string, email: string, password: string, sentence: string][] = [
    ['LOGIN-18 an empty email', '', '', 'Email is required'],
    ['LOGIN-19 what is no email', 'ada', '', 'Enter a valid email'],
    ['LOGIN-20 an empty password', 'ada@example.com', '', 'Password is required'],
    ['LOGIN-21 LIMITS-01 a short password', 'ada@example.com', '12345', 'Password must be at least 6 characters'],
    ['LOGIN-22 email required comes first:', '', '12345', 'Email is required'],
    ['LOGIN-22 then the email pattern:', 'ada@', '12345', 'Enter a valid email'],
  ]
  it.each(problems)('%s (%j, %j) gives %s', async (_row, email, password, sentence) => {
    await using opened = await open()
    await signIn(opened.page, email, password)
    expect(await opened.page.getByRole('alert').textContent()).toBe(sentence)
    expect(requests('/auth/login')).toEqual([])
  })

  it('LOGIN-09 an error appears in a red box above the form’s fields', async () => {
    await using opened = await open()
    const { page } = opened
    await signIn(page, '', '')
    const box = page.getByRole('alert')
    const { y } = (await box.boundingBox())!
    expect(y).toBeLessThan((await page.getByLabel('Email').boundingBox())!.y)
    const [red, green, blue] = await box.evaluate((element) =>
      getComputedStyle(element.querySelector('svg')!).color.match(/\d+/g)!.map(Number),
    )
    expect(red).toBeGreaterThan(Math.max(green ?? 0, blue ?? 0) * 2)
  })

  it('LOGIN-07 LOGIN-08 LOGIN-10 LOGIN-26 while submitting the button is disabled and spins, and a second submit is ignored', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('signIn', async () => {
      await answer.promise
      return { json: { access_token: 'at_1', confirmed_email: true } }
    })
    await using opened = await open()
    const { page } = opened
    await signIn(page)
    const button = page.getByRole('button', { name: 'Sign In' })
    await page.locator('button[aria-busy=true] .spinner').waitFor()
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('Password').press('Enter')
    answer.resolve(undefined)
    await page.waitForURL('**/dashboard')
    expect(requests('/auth/login')).toHaveLength(1)
  })

  it('LOGIN-11 LOGIN-12 SESSION-08 sends the email in lower case, stores the token and goes to /dashboard', async () => {
    await using opened = await open()
    const { page } = opened
    await signIn(page, 'ADA@Example.com')
    await page.waitForURL('**/dashboard')
    expect(requests('/auth/login')[0]?.body).toEqual({ email: 'ada@example.com', password: 'secret' })
    expect(await token(page)).toBe('at_1')
  })

  it('LOGIN-13 LOGIN-14 LOGIN-15 an unconfirmed user gets the token and the modal, and stays', async () => {
    site.on('signIn', { json: { access_token: 'at_1', confirmed_email: false } })
    site.on('getCurrentUser', { json: sampleUser({ confirmed_email: false }) })
    await using opened = await open()
    const { page } = opened
    await signIn(page)
    await page.getByRole('dialog', { name: 'Check Your Email' }).waitFor()
    expect(pathOf(page)).toBe('/login')
    expect(await token(page)).toBe('at_1')
  })

  it.each([
    ['LOGIN-16 the button', 'Got It'],
    ['LOGIN-17 the X', 'Close'],
  ])('%s %s closes the modal', async (_row, name) => {
    site.on('signIn', { json: { access_token: 'at_1', confirmed_email: false } })
    site.on('getCurrentUser', { json: sampleUser({ confirmed_email: false }) })
    await using opened = await open()
    await signIn(opened.page)
    await opened.page.getByRole('button', { name }).click()
    await opened.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(pathOf(opened.page)).toBe('/login')
  })

  it.each([401, 403, 422, 500])('ERRORS-01 an answer of %i shows Invalid credentials', async (status) => {
    site.on('signIn', { status, json: { detail: 'Something else.' } })
    await using opened = await open()
    await signIn(opened.page)
    await opened.page.getByRole('alert').filter({ hasText: 'Invalid credentials' }).waitFor()
    expect(await opened.page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  })

  it('ERRORS-02 a network failure shows Invalid credentials, and what to do', async () => {
    site.on('signIn', { hangUp: true })
    await using opened = await open()
    await signIn(opened.page)
    const box = opened.page.getByRole('alert')
    await box.filter({ hasText: 'Invalid credentials' }).waitFor()
    expect(await box.textContent()).toContain('The server did not answer.')
  })

  it('ERRORS-03 an error of our own code shows its message', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Sign In' }).waitFor()
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error('The storage of this browser is full.')
      }
    })
    await signIn(page)
    await page.getByRole('alert').filter({ hasText: 'The storage of this browser is full.' }).waitFor()
  })

  it('too many attempts say when to try again', async () => {
    site.on('signIn', { status: 429, json: { detail: 'Wait.' }, headers: { 'Retry-After': '600' } })
    await using opened = await open()
    await signIn(opened.page)
    await opened.page.getByText(/Too many attempts\. Try again at \d\d:\d\d\./).waitFor()
  })

  it('ERRORS-05 LOGIN-04 shows the error of the address, as text, before a token', async () => {
    const text = '<img src=x onerror=alert(1)> Sign-in was cancelled'
    await using opened = await open(`/login?error=${encodeURIComponent(text)}&token=at_1`)
    expect(await opened.page.getByRole('alert').textContent()).toBe(text)
    expect(await token(opened.page)).toBeNull()
  })

  it('H12 cuts a long error of the address', async () => {
    await using opened = await open(`/login?error=${'x'.repeat(5000)}`)
    expect(await opened.page.getByRole('alert').textContent()).toHaveLength(200)
  })

  it('LOGIN-04 uses the token of the address, and takes it out of the address', async () => {
    await using opened = await open('/login?token=at_google')
    const { page } = opened
    await page.waitForURL('**/dashboard')
    expect(await token(page)).toBe('at_google')
    expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
    await page.goBack()
    expect(page.url()).not.toContain('at_google')
  })
})

describe('/signup', () => {
  const open = () => openDashboard(browser, site, { path: '/signup' })
  async function fill(page: Page): Promise<void> {
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('North')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('secret')
  }
  const signUp = (page: Page) => page.getByRole('button', { name: 'Sign Up' }).click()

  it('SIGNUP-01 SIGNUP-02 SIGNUP-03 SIGNUP-04 SIGNUP-11 SIGNUP-12 SIGNUP-13 SIGNUP-14 has its fields, all required', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Sign Up' }).waitFor()
    const required = await page
      .locator('form input')
      .evaluateAll((inputs) => (inputs as HTMLInputElement[]).map((input) => [input.name, input.required]))
    expect(required).toEqual([
      ['first_name', true],
      ['last_name', true],
      ['email', true],
      ['password', true],
    ])
    await signUp(page)
    expect(requests('/auth/')).toEqual([])
  })

  it('SIGNUP-15 the browser refuses a password under 6 characters', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByLabel('Password').fill('')
    await page.getByLabel('Password').pressSequentially('12345')
    await signUp(page)
    expect(await page.getByLabel('Password').evaluate((input: HTMLInputElement) => input.validity.tooShort)).toBe(true)
    expect(requests('/auth/')).toEqual([])
  })

  it('SIGNUP-05 LIMITS-05 has a referral_source select with the four options', async () => {
    await using opened = await open()
    const options = opened.page.getByLabel('How did you hear about us?').locator('option')
    await options.first().waitFor({ state: 'attached' })
    expect((await options.allTextContents()).slice(1)).toEqual(['Twitter', 'LinkedIn', 'Job Fair', 'Instagram'])
  })

  it('SIGNUP-06 has a link to /login', async () => {
    await using opened = await open()
    await opened.page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await opened.page.waitForURL('**/login')
  })

  it('SIGNUP-07 SIGNUP-08 SIGNUP-09 SIGNUP-10 201 opens the modal with the address, and Go to Login closes it and goes', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByLabel('How did you hear about us?').selectOption('LinkedIn')
    await signUp(page)
    const modal = page.getByRole('dialog', { name: 'Account Created Successfully!' })
    await modal.waitFor()
    expect(await modal.textContent()).toContain('ada@example.com')
    expect(requests('/auth/')[0]?.body).toEqual({
      first_name: 'Ada',
      last_name: 'North',
      email: 'ada@example.com',
      password: 'secret',
      referral_source: 'LinkedIn',
    })
    await modal.getByRole('button', { name: 'Go to Login' }).click()
    await page.waitForURL('**/login')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it.each([200, 400, 409, 500])(
    'ERRORS-04 a status of %i shows Error registering user, and keeps the form',
    async (status) => {
      site.on('signUp', { status, json: { detail: 'Give a first name.' } })
      await using opened = await open()
      const { page } = opened
      await fill(page)
      await signUp(page)
      const box = page.getByRole('alert')
      await box.filter({ hasText: 'Error registering user' }).waitFor()
      expect(await box.textContent()).toContain('Give a first name.')
      expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
    },
  )

  it('points to the sandbox inbox where the server has one', async () => {
    site.on('listSandboxMessages', { json: [] })
    await using opened = await open()
    await fill(opened.page)
    await signUp(opened.page)
    await opened.page.getByRole('link', { name: 'sandbox inbox' }).waitFor()
  })
})

describe('/email_confirm/{token}', () => {
  const open = (path = '/email_confirm/cf_1') => openDashboard(browser, site, { path })
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

  it('CONFIRM-01 CONFIRM-03 CONFIRM-04 CONFIRM-05 reads the token, confirms at once and shows that it does', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('confirmEmail', async () => {
      await answer.promise
      return { json: { message: '', error: null } }
    })
    await using opened = await open('/email_confirm/cf%201')
    await heading(opened.page, 'Confirming Your Email')
    await opened.page.getByText('please wait while we verify your email address').waitFor()
    expect(site.received.at(-1)?.params).toEqual({ confirmation_token: 'cf 1' })
    answer.resolve(undefined)
    await heading(opened.page, 'Email Confirmed!')
  })

  it.each(['/email_confirm', '/email_confirm/'])('CONFIRM-02 %s, without a token, redirects to /', async (path) => {
    await using opened = await open(path)
    await opened.page.waitForURL(`${site.url}/`)
  })

  it('CONFIRM-06 CONFIRM-07 CONFIRM-08 CONFIRM-09 success shows the server message and leads to /login', async () => {
    await using opened = await open()
    await heading(opened.page, 'Email Confirmed!')
    await opened.page.getByText('Your email is confirmed.').waitFor()
    await opened.page.getByRole('link', { name: 'Login Now !' }).click()
    await opened.page.waitForURL('**/login')
  })

  it('CONFIRM-10 CONFIRM-11 success has Back to Home, which goes there', async () => {
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Back to Home' }).click()
    await opened.page.waitForURL(`${site.url}/`)
  })

  it('ERRORS-27 success without a message reads the plain sentence', async () => {
    site.on('confirmEmail', { json: { message: '', error: null } })
    await using opened = await open()
    await opened.page.getByText('Your email has been successfully confirmed!').waitFor()
  })

  it('CONFIRM-12 CONFIRM-15 CONFIRM-16 any other answer fails with the server message', async () => {
    site.on('confirmEmail', { status: 404, json: { message: 'This link is not valid.', error: 'invalid' } })
    await using opened = await open()
    await heading(opened.page, 'Confirmation Failed')
    await opened.page.getByText('This link is not valid.').waitFor()
  })

  it('ERRORS-25 without a server message it reads the plain sentence', async () => {
    site.on('confirmEmail', { status: 500, json: {} })
    await using opened = await open()
    await opened.page.getByText('Failed to confirm your email. Please try again.').waitFor()
  })

  it.each([
    ['CONFIRM-13 a network exception', { hangUp: true }],
    ['CONFIRM-14 a parse exception', { text: 'not json', headers: { 'Content-Type': 'application/json' } }],
  ])('%s shows the Failure view', async (_title, reply) => {
    site.on('confirmEmail', reply)
    await using opened = await open()
    await heading(opened.page, 'Confirmation Failed')
    await opened.page.getByText('An unexpected error occurred. Please try again later.').waitFor()
  })

  it('ERRORS-26 an exception reads An unexpected error occurred', async () => {
    site.on('confirmEmail', { hangUp: true })
    await using opened = await open()
    await opened.page.getByText('An unexpected error occurred. Please try again later.').waitFor()
  })

  it('CONFIRM-17 CONFIRM-18 Try Again returns to Loading and confirms again', async () => {
    site.on('confirmEmail', { hangUp: true })
    await using opened = await open()
    await heading(opened.page, 'Confirmation Failed')
    const answer = Promise.withResolvers<undefined>()
    site.on('confirmEmail', async () => {
      await answer.promise
      return { json: { message: 'Now it is.', error: null } }
    })
    await opened.page.getByRole('button', { name: 'Try Again' }).click()
    await heading(opened.page, 'Confirming Your Email')
    answer.resolve(undefined)
    await opened.page.getByText('Now it is.').waitFor()
  })

  it('CONFIRM-19 CONFIRM-20 CONFIRM-21 failure has Back to Login, which goes there, and a support address', async () => {
    site.on('confirmEmail', { status: 404, json: { message: 'No.', error: 'invalid' } })
    await using opened = await open()
    expect(await opened.page.getByRole('link', { name: /@/ }).getAttribute('href')).toMatch(/^mailto:support@/)
    await opened.page.getByRole('button', { name: 'Back to Login' }).click()
    await opened.page.waitForURL('**/login')
  })

  it.each([
    ['CONFIRM-22 status 410', 410, { message: 'It ended yesterday.', error: null }],
    ['CONFIRM-23 the error field expired', 400, { message: 'It ended yesterday.', error: 'expired' }],
  ])('%s shows the Expired view', async (_title, status, json) => {
    site.on('confirmEmail', { status, json })
    await using opened = await open()
    await heading(opened.page, 'Link Expired')
    await opened.page.getByText('It ended yesterday.').waitFor()
  })

  it('CONFIRM-24 CONFIRM-25 CONFIRM-30 the Expired view has its title, the message and a tip', async () => {
    site.on('confirmEmail', { status: 410, json: { message: 'It ended yesterday.', error: 'expired' } })
    await using opened = await open()
    await heading(opened.page, 'Link Expired')
    await opened.page.getByText('It ended yesterday.').waitFor()
    await opened.page.getByText('look in the spam or promotions folder').waitFor()
  })

  it('ERRORS-24 expired without a server message reads the plain sentence', async () => {
    site.on('confirmEmail', { status: 410, text: '' })
    await using opened = await open()
    await opened.page.getByText('This confirmation link has expired.').waitFor()
  })

  it('CONFIRM-26 CONFIRM-27 CONFIRM-31 CONFIRM-32 ERRORS-28 Send New Confirmation is busy, then replaces the message', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('confirmEmail', { status: 410, json: { message: 'It ended yesterday.', error: 'expired' } })
    site.on('resendConfirmation', async () => {
      await answer.promise
      return { json: { message: 'Whatever the account.' } }
    })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Send New Confirmation' }).click()
    await page.getByRole('button', { name: 'Sending...' }).waitFor()
    answer.resolve(undefined)
    await page.getByText('A new confirmation email has been sent to your inbox.').waitFor()
    expect(await page.getByText('It ended yesterday.').count()).toBe(0)
    await heading(page, 'Link Expired')
    await page.getByRole('button', { name: 'Send New Confirmation' }).waitFor()
  })

  it.each([
    [
      'ERRORS-29 a resend failure reads the server message',
      { status: 429, json: { message: 'Wait an hour.' } },
      'Wait an hour.',
    ],
    ['ERRORS-30 without one the plain sentence', { status: 500, json: {} }, 'Failed to resend confirmation email.'],
    ['ERRORS-31 an exception its own', { hangUp: true }, 'Failed to resend confirmation email. Please try again.'],
  ])('%s', async (_title, reply, sentence) => {
    site.on('confirmEmail', { status: 410, json: { message: 'Ended.', error: 'expired' } })
    site.on('resendConfirmation', reply)
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Send New Confirmation' }).click()
    await opened.page.getByText(sentence, { exact: true }).waitFor()
  })

  it('CONFIRM-28 CONFIRM-29 the Expired view has Back to Home, which goes there', async () => {
    site.on('confirmEmail', { status: 410, json: { message: 'Ended.', error: 'expired' } })
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Back to Home' }).click()
    await opened.page.waitForURL(`${site.url}/`)
  })
})
