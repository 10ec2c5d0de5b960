import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const requests = (path: string) => site.received.filter((one) => one.path === path)

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

  it('GOOGLE-02 Sign up with Google opens the same Google sign-in', async () => {
    site.on('startGoogleSignIn', { status: 302, headers: { location: '/login?error=Not+today.' } })
    await using opened = await open()
    await opened.page.getByRole('link', { name: 'Sign up with Google' }).click()
    await opened.page.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
    expect(requests('/auth/login-google')).toHaveLength(1)
  })

  it('has autocomplete attributes for password managers', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('First name').waitFor()
    const tokens = await page
      .locator('form input')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('autocomplete')))
    expect(tokens).toEqual(['given-name', 'family-name', 'username', 'new-password'])
  })

  it('warns of a very common password, and accepts it', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByLabel('Password').fill('Password1')
    await page.getByText('This is one of the most common passwords.').waitFor()
    await signUp(page)
    await page.getByRole('dialog').waitFor()
    expect(requests('/auth/')[0]?.body).toMatchObject({ password: 'Password1' })
  })

  it('without a response it shows an error and keeps the input, and a double click then submits once', async () => {
    site.on('signUp', { hangUp: true })
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await signUp(page)
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor()
    await expect.poll(() => page.getByLabel('Password').inputValue()).toBe('secret')
    const answer = Promise.withResolvers<undefined>()
    site.on('signUp', async () => {
      await answer.promise
      return { status: 201, json: { message: 'Check your email.' } }
    })
    site.received.length = 0
    await page.getByRole('button', { name: 'Sign Up' }).dblclick()
    await page.locator('button[aria-busy=true]').waitFor()
    answer.resolve(undefined)
    await page.getByRole('dialog').waitFor()
    expect(requests('/auth/')).toHaveLength(1)
  })

  it('SIGNUP-15 the browser refuses a password under 6 characters', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByLabel('Password').fill('')
    await page.getByLabel('Password').pressSequentially('12345')
    await signUp(page)
    await expect
      .poll(() => page.getByLabel('Password').evaluate((input: HTMLInputElement) => input.validity.tooShort))
      .toBe(true)
    expect(requests('/auth/')).toEqual([])
  })

  it('SIGNUP-05 LIMITS-05 has a referral_source select that offers the four options, and a placeholder that cannot be selected', async () => {
    await using opened = await open()
    const options = opened.page.getByLabel('How did you hear about us?').locator('option')
    await options.first().waitFor({ state: 'attached' })
    const offered = await options.evaluateAll((all) =>
      (all as HTMLOptionElement[]).map(({ textContent, value, disabled }) => ({ text: textContent, value, disabled })),
    )
    const sources = ['Twitter', 'LinkedIn', 'Job Fair', 'Instagram']
    expect(offered).toEqual([
      { text: 'Choose one', value: '', disabled: true },
      ...sources.map((source) => ({ text: source, value: source, disabled: false })),
    ])
  })

  it('sends no referral_source when none is selected', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await signUp(page)
    await page.getByRole('dialog', { name: 'Account Created Successfully!' }).waitFor()
    expect(Object.keys(requests('/auth/')[0]?.body as object)).toEqual(['first_name', 'last_name', 'email', 'password'])
  })

  it('SIGNUP-06 has a link to /login', async () => {
    await using opened = await open()
    await opened.page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await opened.page.waitForURL('**/login')
  })

  it('SIGNUP-07 SIGNUP-08 SIGNUP-09 SIGNUP-10 201 opens the modal with the address, and Go to Login closes it and opens /login', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByLabel('How did you hear about us?').selectOption('LinkedIn')
    await signUp(page)
    const modal = page.getByRole('dialog', { name: 'Account Created Successfully!' })
    await modal.waitFor()
    await expect.poll(() => modal.textContent()).toContain('ada@example.com')
    expect(requests('/auth/')[0]?.body).toEqual({
      first_name: 'Ada',
      last_name: 'North',
      email: 'ada@example.com',
      password: 'secret',
      referral_source: 'LinkedIn',
    })
    await modal.getByRole('button', { name: 'Go to Login' }).click()
    await page.waitForURL('**/login')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
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
      await expect.poll(() => box.textContent()).toContain('Give a first name.')
      await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ada')
    },
  )

  it('links to the sandbox inbox when the server has one', async () => {
    site.on('listSandboxMessages', { json: [] })
    await using opened = await open()
    await fill(opened.page)
    await signUp(opened.page)
    await opened.page.getByRole('link', { name: 'sandbox inbox' }).waitFor()
  })
})
