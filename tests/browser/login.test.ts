import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { boxOf } from '../support/browser.ts'
import { openDashboard, pathOf, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleUser } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
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

  it('LOGIN-01 LOGIN-02 LOGIN-03 LOGIN-23 LOGIN-24 LOGIN-25 has email, password and Sign In with their attributes', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password')]
    await expect.poll(() => email.getAttribute('type')).toBe('email')
    expect(await email.evaluate((input: HTMLInputElement) => input.required)).toBe(true)
    expect(await password.evaluate((input: HTMLInputElement) => [input.type, input.required, input.minLength])).toEqual(
      ['password', true, 6],
    )
  })

  it('LOGIN-05 the link Sign up free opens /signup', async () => {
    await using opened = await open()
    await opened.page.getByRole('link', { name: 'Sign up free' }).click()
    await opened.page.waitForURL('**/signup')
  })

  it('LOGIN-06 the link Forgot your password? opens /forgot_password', async () => {
    await using opened = await open()
    await opened.page.getByRole('link', { name: 'Forgot your password?' }).click()
    await opened.page.waitForURL('**/forgot_password')
    await opened.page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  })

  it('GOOGLE-01 GOOGLE-03 Sign in with Google navigates the whole page to GET /auth/login-google, once', async () => {
    site.on('startGoogleSignIn', { status: 302, headers: { location: '/login?error=Not+today.' } })
    await using opened = await open()
    const { page } = opened
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.getByRole('link', { name: 'Sign in with Google' }).dblclick()
    await page.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(false)
    expect(requests('/auth/login-google')).toHaveLength(1)
    expect(requests('/auth/login-google')[0]?.method).toBe('GET')
  })

  it('has autocomplete attributes for password managers, and a method for a submit without script', async () => {
    await using opened = await open()
    const { page } = opened
    await expect.poll(() => page.getByLabel('Email').getAttribute('autocomplete')).toBe('username')
    await expect.poll(() => page.getByLabel('Password').getAttribute('autocomplete')).toBe('current-password')
    await expect.poll(() => page.locator('form').getAttribute('method')).toBe('post')
  })

  it('shows the password on demand, and hides it on submit', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('signIn', async () => {
      await answer.promise
      return { status: 401, json: { detail: 'Invalid credentials' } }
    })
    await using opened = await open()
    const { page } = opened
    const type = () => page.getByLabel('Password').getAttribute('type')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect.poll(() => type()).toBe('text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect.poll(() => type()).toBe('password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.getByLabel('Password').press('Enter')
    await expect.poll(type).toBe('password')
    answer.resolve(undefined)
    await page.getByRole('alert').waitFor()
  })

  it('can be operated by the keyboard alone, in reading order', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Email').focus()
    await page.keyboard.type('ada@example.com')
    const order: string[] = []
    for (let tabs = 0; tabs < 5; tabs++) {
      await page.keyboard.press('Tab')
      order.push(
        await page.evaluate(() => {
          const active = document.activeElement
          return active instanceof HTMLInputElement ? active.name : (active?.textContent ?? '')
        }),
      )
    }
    expect(order).toEqual(['password', 'Show password', 'Sign In', 'Forgot your password?', 'Sign in with Google'])
    await page.getByLabel('Password').focus()
    await page.keyboard.type('secret')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
  })

  it('keeps an error until the next response: no layout shift under a second click, and the next error is announced again', async () => {
    site.on('signIn', { status: 401, json: { detail: 'Invalid credentials' } })
    await using opened = await open()
    const { page } = opened
    await signIn(page)
    const box = page.getByRole('alert')
    await box.evaluate((element) => Object.assign(element, { isFirst: true }))
    const answer = Promise.withResolvers<undefined>()
    site.on('signIn', async () => {
      await answer.promise
      return { status: 401, json: { detail: 'Invalid credentials' } }
    })
    const button = page.getByRole('button', { name: 'Sign In' })
    const before = await button.boundingBox()
    await button.dblclick()
    await page.locator('button[aria-busy=true]').waitFor()
    await expect.poll(() => button.boundingBox()).toEqual(before)
    answer.resolve(undefined)
    await page.waitForFunction(() => !('isFirst' in (document.querySelector('[role=alert]') ?? { isFirst: true })))
    expect(requests('/auth/login')).toHaveLength(2)
    await expect.poll(() => pathOf(page)).toBe('/login')
  })

  it('shows a hint only while Caps Lock is on', async () => {
    await using opened = await open()
    const { page } = opened
    const status = page.getByRole('status').filter({ hasText: 'Caps Lock is on' })
    const press = (isOn: boolean) =>
      page
        .getByLabel('Password')
        .evaluate(
          (input, modifierCapsLock) =>
            input.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock })),
          isOn,
        )
    await press(true)
    await status.waitFor()
    await press(false)
    await status.waitFor({ state: 'detached' })
  })

  it.each([
    ['no email', '', 'secret', 'Email'],
    ['a short password', 'ada@example.com', '123', 'Password'],
    ['a wrong password', 'ada@example.com', 'secret', 'Password'],
  ])('after %s the invalid field has the focus', async (_what, email, password, label) => {
    site.on('signIn', { status: 401, json: { detail: 'Invalid credentials' } })
    await using opened = await open()
    await signIn(opened.page, email, password)
    await opened.page.getByRole('alert').waitFor()
    await expect
      .poll(() => opened.page.getByLabel(label).evaluate((input) => input === document.activeElement))
      .toBe(true)
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
    await expect.poll(() => opened.page.getByRole('alert').textContent()).toBe(sentence)
    expect(requests('/auth/login')).toEqual([])
  })

  it('LOGIN-09 an error appears in a red box above the form’s fields', async () => {
    await using opened = await open()
    const { page } = opened
    await signIn(page, '', '')
    const box = page.getByRole('alert')
    await box.getByText('Email is required').waitFor()
    const { y, height } = await boxOf(box)
    expect(y + height).toBeLessThanOrEqual((await boxOf(page.getByText('Email', { exact: true }))).y)
    // The painted colour: the styles may mix colours.
    const { background, border, icon } = await box.evaluate((element) => {
      const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
        willReadFrequently: true,
      })!
      const painted = (color: string) => {
        context.fillStyle = color
        context.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
        return red - Math.max(green, blue)
      }
      const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element)
      return {
        background: painted(backgroundColor),
        border: borderTopWidth === '0px' ? 0 : painted(borderTopColor),
        icon: painted(getComputedStyle(element.querySelector('svg')!).color),
      }
    })
    expect(background).toBeGreaterThan(5)
    expect(border).toBeGreaterThan(30)
    expect(icon).toBeGreaterThan(90)
  })

  it('LOGIN-07 LOGIN-08 LOGIN-10 LOGIN-26 while submitting the button is disabled and shows a spinner, and a second submit is ignored', async () => {
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
    await expect.poll(() => button.isDisabled()).toBe(true)
    await page.getByLabel('Password').press('Enter')
    answer.resolve(undefined)
    await page.waitForURL('**/dashboard')
    expect(requests('/auth/login')).toHaveLength(1)
  })

  it('LOGIN-11 LOGIN-12 SESSION-08 sends the email in lower case, stores the token and opens /dashboard', async () => {
    await using opened = await open()
    const { page } = opened
    await signIn(page, 'ADA@Example.com')
    await page.waitForURL('**/dashboard')
    expect(requests('/auth/login')[0]?.body).toEqual({ email: 'ada@example.com', password: 'secret' })
    await expect.poll(() => token(page)).toBe('at_1')
  })

  it('LOGIN-13 LOGIN-14 LOGIN-15 an unconfirmed user gets the token and the modal, and stays on the page', async () => {
    site.on('signIn', { json: { access_token: 'at_1', confirmed_email: false } })
    site.on('getCurrentUser', { json: sampleUser({ confirmed_email: false }) })
    await using opened = await open()
    const { page } = opened
    await signIn(page)
    await page.getByRole('dialog', { name: 'Check Your Email' }).waitFor()
    await expect.poll(() => pathOf(page)).toBe('/login')
    await expect.poll(() => token(page)).toBe('at_1')
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
    await expect.poll(() => pathOf(opened.page)).toBe('/login')
  })

  it.each([401, 403, 422, 500])('ERRORS-01 a status of %i shows Invalid credentials', async (status) => {
    site.on('signIn', { status, json: { detail: 'Something else.' } })
    await using opened = await open()
    await signIn(opened.page)
    await opened.page.getByRole('alert').filter({ hasText: 'Invalid credentials' }).waitFor()
    await expect.poll(() => opened.page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  })

  it('ERRORS-02 a network failure shows Invalid credentials with a remedy', async () => {
    site.on('signIn', { hangUp: true })
    await using opened = await open()
    await signIn(opened.page)
    const box = opened.page.getByRole('alert')
    await box.filter({ hasText: 'Invalid credentials' }).waitFor()
    await expect.poll(() => box.textContent()).toContain('The server did not answer.')
  })

  it('ERRORS-03 an error with one of our codes shows its message', async () => {
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

  it('too many attempts show when to try again', async () => {
    site.on('signIn', { status: 429, json: { detail: 'Wait.' }, headers: { 'Retry-After': '600' } })
    await using opened = await open()
    await signIn(opened.page)
    await opened.page.getByText(/Too many attempts\. Try again at \d\d:\d\d\./).waitFor()
  })

  it('ERRORS-05 LOGIN-04 shows the error from the URL, as text, before a token', async () => {
    const text = '<img src=x onerror=alert(1)> Sign-in was cancelled'
    await using opened = await open(`/login?error=${encodeURIComponent(text)}&token=at_1`)
    await expect.poll(() => opened.page.getByRole('alert').textContent()).toBe(text)
    await expect.poll(() => token(opened.page)).toBeNull()
  })

  it('TRIAL-27 H12 shows the error from the URL in full up to 500 characters, and truncates a longer one with an ellipsis', async () => {
    const sentence = 'Sign-in was refused: ask your administrator. '.repeat(20)
    for (const [text, shown] of [
      [sentence.slice(0, 499), sentence.slice(0, 499)],
      [sentence.slice(0, 499) + '!', sentence.slice(0, 499) + '!'],
      [sentence.slice(0, 499) + '!?', sentence.slice(0, 499) + '!…'],
      [sentence.slice(0, 499) + '😀', sentence.slice(0, 499) + '…'],
    ] as const) {
      await using opened = await open(`/login?${new URLSearchParams({ error: text }).toString()}`)
      await expect.poll(() => opened.page.getByRole('alert').textContent()).toBe(shown)
    }
  })

  it('H12 removes bidirectional and invisible characters from the error in the URL', async () => {
    await using opened = await open(`/login?error=${encodeURIComponent('Wait\u202e.drow\u200b\u0007 here')}`)
    await expect.poll(() => opened.page.getByRole('alert').textContent()).toBe('Wait.drow here')
  })

  it('LOGIN-04 exchanges the token in the URL for the login token, and removes it from the URL', async () => {
    site.on('exchangeSignInCode', { json: { access_token: 'at_traded', confirmed_email: true } })
    await using opened = await open('/login?token=sc_google')
    const { page } = opened
    await page.waitForURL('**/dashboard')
    expect(requests('/auth/exchange')[0]?.body).toEqual({ token: 'sc_google' })
    await expect.poll(() => token(page)).toBe('at_traded')
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('sc_google')
  })

  it.each([
    ['is refused', { status: 400, json: { detail: 'This sign-in has ended.' } }, 'This sign-in has ended.'],
    ['is not known', { status: 404, json: { detail: 'Nothing is here.' } }, 'Nothing is here.'],
    ['gets no answer', { hangUp: true }, 'The server did not answer.'],
  ])('H13 a token whose exchange %s signs no user in', async (_what, reply, sentence) => {
    site.on('exchangeSignInCode', reply)
    await using opened = await open('/login?token=at_attacker')
    await opened.page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    await expect.poll(() => token(opened.page)).toBeNull()
    expect(requests('/auth/user')).toEqual([])
  })
})
