import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, pathOf, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

describe('/forgot_password', () => {
  const open = () => openDashboard(browser, site, { path: '/forgot_password' })
  const request = async (page: Page, email = 'ada+1@example.com') => {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
  }

  it('ROUTES-04 shows a visitor the form that requests a reset link', async () => {
    await using opened = await open()
    await opened.page.getByLabel('Email').waitFor()
    await opened.page.getByRole('button', { name: 'Send reset link' }).waitFor()
    await expect.poll(() => opened.page.getByLabel('New password', { exact: true }).count()).toBe(0)
  })

  it('RESET-01 API-ACCOUNT-09 sends the URL-encoded email, and shows the instruction message', async () => {
    await using opened = await open()
    await request(opened.page)
    const message = opened.page.getByRole('alert')
    await message.filter({ hasText: 'Reset instructions sent! Please check your email.' }).waitFor()
    const requested = site.received.filter((one) => one.path.startsWith('/auth/reset'))
    expect(requested.map(({ path, text }) => [path, text])).toEqual([
      ['/auth/reset-password/ada%2B1%40example.com', ''],
    ])
  })

  it.each([
    ['nothing', '', 'Email is required'],
    ['what is no email', 'ada', 'Enter a valid email'],
  ])('%s sends no request and shows the remedy', async (_what, email, sentence) => {
    await using opened = await open()
    await request(opened.page, email)
    await expect.poll(() => opened.page.getByRole('alert').textContent()).toBe(sentence)
    expect(site.received.filter((one) => one.path.startsWith('/auth/reset'))).toEqual([])
  })

  it('without a response it shows an error, keeps the input and can be submitted again', async () => {
    site.on('requestPasswordReset', { hangUp: true })
    await using opened = await open()
    const { page } = opened
    await request(page)
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada+1@example.com')
    site.on('requestPasswordReset', { json: { message: 'Sent.' } })
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByText('Reset instructions sent!').waitFor()
  })

  it('a double click sends one request', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('requestPasswordReset', async () => {
      await answer.promise
      return { json: { message: 'Sent.' } }
    })
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send reset link' }).dblclick()
    await page.locator('button[aria-busy=true]').waitFor()
    answer.resolve(undefined)
    await page.getByText('Reset instructions sent!').waitFor()
    await expect.poll(() => site.received.filter((one) => one.path.startsWith('/auth/reset'))).toHaveLength(1)
  })
})

describe('/forgot_password/{reset_token}', () => {
  const open = () => openDashboard(browser, site, { path: '/forgot_password/rp_1' })
  const update = async (page: Page, password = 'correct horse', confirmation = password) => {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password', { exact: true }).fill(confirmation)
    await page.getByRole('button', { name: 'Update password' }).click()
  }
  const updates = () => site.received.filter((one) => one.path === '/auth/update-password')

  it('ROUTES-05 shows a visitor the form for a new password', async () => {
    await using opened = await open()
    await opened.page.getByLabel('New password', { exact: true }).waitFor()
    await opened.page.getByLabel('Confirm password', { exact: true }).waitFor()
    await expect.poll(() => opened.page.getByLabel('Email').count()).toBe(0)
  })

  it('RESET-02 RESET-03 has a password and a confirmation with autocomplete attributes', async () => {
    await using opened = await open()
    for (const label of ['New password', 'Confirm password']) {
      const field = opened.page.getByLabel(label, { exact: true })
      await expect.poll(() => field.getAttribute('type')).toBe('password')
      await expect.poll(() => field.getAttribute('autocomplete')).toBe('new-password')
    }
  })

  const problems: [row: string, password: string, confirmation: string, sentence: string, label: string][] = [
    ['RESET-04 LIMITS-01 a short one', '12345', '12345', 'Password must be at least 6 characters', 'New password'],
    ['RESET-05 an empty confirmation', '123456', '', 'Please confirm your password', 'Confirm password'],
    ['RESET-06 another confirmation', '123456', '123457', 'Passwords do not match', 'Confirm password'],
  ]
  it.each(problems)(
    '%s (%j, %j) gives %s, in the invalid field',
    async (_row, password, confirmation, sentence, label) => {
      await using opened = await open()
      const { page } = opened
      await update(page, password, confirmation)
      await page.getByText(sentence, { exact: true }).waitFor()
      const field = page.getByLabel(label, { exact: true })
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
      expect(updates()).toEqual([])
    },
  )

  it('decodes an encoded token of the path once', async () => {
    await using opened = await openDashboard(browser, site, { path: '/forgot_password/rp%2F1%2525' })
    await update(opened.page)
    await opened.page.getByText('Password updated successfully!').waitFor()
    expect(updates().map(({ body }) => body)).toEqual([{ new_password: 'correct horse', token: 'rp/1%25' }])
  })

  it('API-ACCOUNT-11 RESET-07 RESET-08 TOASTS-08 sets it, shows a toast, and opens /login after 2000 ms', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Update password' }).waitFor()
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(60_000)
    await update(page)
    await page
      .getByRole('alert')
      .filter({ hasText: 'Password updated successfully! Redirecting to login...' })
      .waitFor()
    expect(updates().map(({ body }) => body)).toEqual([{ new_password: 'correct horse', token: 'rp_1' }])
    await page.clock.runFor(1999)
    await expect.poll(() => pathOf(page)).toBe('/forgot_password/rp_1')
    await page.clock.runFor(1)
    await page.waitForURL('**/login')
  })

  it('the link is removed from the history', async () => {
    await using opened = await openDashboard(browser, site, { path: '/' })
    const { page } = opened
    await page.goto(`${site.url}/forgot_password/rp_1`)
    await update(page)
    await page.waitForURL('**/login')
    await page.goBack()
    await expect.poll(() => pathOf(page)).toBe('/')
  })

  it('ERRORS-21 a failure shows the server detail and keeps the input, and an expired link offers a new one', async () => {
    site.on('updatePassword', { status: 400, json: { detail: 'This link was used already.' } })
    await using opened = await open()
    const { page } = opened
    await update(page)
    const box = page.getByRole('alert')
    await box.filter({ hasText: 'This link was used already.' }).waitFor()
    await expect.poll(() => page.getByLabel('New password', { exact: true }).inputValue()).toBe('correct horse')
    await box.getByRole('link', { name: 'Request a new link' }).click()
    await page.waitForURL('**/forgot_password')
  })

  it.each([
    ['an answer without a detail', { status: 500, json: {} }],
    ['no answer', { hangUp: true }],
  ])('ERRORS-22 %s shows Failed to reset password', async (_what, reply) => {
    site.on('updatePassword', reply)
    await using opened = await open()
    await update(opened.page)
    await opened.page.getByRole('alert').filter({ hasText: 'Failed to reset password' }).waitFor()
    await expect
      .poll(() => opened.page.getByLabel('Confirm password', { exact: true }).inputValue())
      .toBe('correct horse')
  })

  it('Enter submits once, however often it is pressed', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('updatePassword', async () => {
      await answer.promise
      return { json: { message: 'Updated.' } }
    })
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('New password', { exact: true }).fill('correct horse')
    const confirmation = page.getByLabel('Confirm password', { exact: true })
    await confirmation.fill('correct horse')
    for (let times = 0; times < 3; times++) await confirmation.press('Enter')
    answer.resolve(undefined)
    await page.getByText('Password updated successfully!').waitFor()
    expect(updates()).toHaveLength(1)
  })
})
