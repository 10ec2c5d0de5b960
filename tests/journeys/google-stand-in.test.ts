import { describe, expect, it } from 'vitest'
import { axeViolations, openPage, useBrowser } from '../support/browser.ts'
import { startTestServer, useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

const entries = [
  ['GOOGLE-01', '/login', 'Sign in with Google'],
  ['GOOGLE-02', '/signup', 'Sign up with Google'],
] as const

describe('a server without Google settings', () => {
  it('TRIAL-20 GOOGLE-01 GOOGLE-02 both Google buttons open a stand-in marked as a development page, and its sign-in opens the dashboard', async () => {
    for (const [row, path, name] of entries) {
      await using opened = await openPage(browser)
      const { page } = opened
      await page.goto(server.url + path)
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
      await page.getByText('For development only. This is not Google.').waitFor()
      expect(await axeViolations(page)).toEqual([])
      const email = `${row.toLowerCase()}@example.com`
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL('**/dashboard')
      await page.getByText(`Welcome, ${email}`).waitFor()
    }
  })

  it('GOOGLE-01 GOOGLE-02 without the sandbox both buttons are shown and open /login with an error', async () => {
    await using plain = await startTestServer({ SANDBOX: 'off' })
    for (const [, path, name] of entries) {
      await using opened = await openPage(browser)
      const { page } = opened
      await page.goto(plain.url + path)
      await page.getByRole('link', { name }).click()
      await page.getByRole('alert').filter({ hasText: 'Google sign-in is not set up on this server.' }).waitFor()
      await expect.poll(() => page.url()).toBe(`${plain.url}/login`)
    }
  })
})
