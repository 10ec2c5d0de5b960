import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const ended = { status: 401, json: { detail: 'Sign in first.' } }

describe('a session that expires during input', () => {
  it('redirects to sign in, and back to the same screen with the input restored', async () => {
    await using opened = await openDashboard(browser, site, { path: '/dashboard/send_email', token: 'at_1' })
    const { page } = opened
    await page.getByLabel('From').selectOption({ index: 1 })
    await page.getByLabel('Subject Line').fill('Doors open')
    await page.getByLabel('Recipients').fill('a@example.org')
    await page.getByLabel('Message body').fill('Dear friend')
    site.on('sendMailWithKey', ended)
    site.on('getCurrentUser', ended)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL('**/login')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()

    site.on('getCurrentUser', signedInResponses()['getCurrentUser']!)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.waitForURL('**/dashboard/send_email')
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Doors open')
    await expect.poll(() => page.getByLabel('Message body').inputValue()).toBe('Dear friend')
    await page.getByText('a@example.org').first().waitFor()
  })

  it('redirects back after a sign-in with Google too', async () => {
    site.on('getCurrentUser', ended)
    site.on('startGoogleSignIn', { status: 302, headers: { location: '/login?token=sc_1' } })
    site.on('exchangeSignInCode', { json: { access_token: 'at_2', confirmed_email: true } })
    await using opened = await openDashboard(browser, site, { path: '/dashboard/email_config', token: 'at_1' })
    const { page } = opened
    await page.waitForURL('**/login')
    site.on('getCurrentUser', signedInResponses()['getCurrentUser']!)
    await page.getByRole('link', { name: 'Sign in with Google' }).click()
    await page.waitForURL('**/dashboard/email_config')
  })

  it('expires silently on a public page', async () => {
    site.on('getCurrentUser', ended)
    await using opened = await openDashboard(browser, site, { path: '/signup', token: 'at_1' })
    await opened.page.getByRole('link', { name: 'Get Started Today' }).waitFor()
    await expect.poll(() => new URL(opened.page.url()).pathname).toBe('/signup')
  })
})
