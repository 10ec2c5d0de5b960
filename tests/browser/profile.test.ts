import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleUser } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('getWorkspace', {
    json: {
      id: 'wsp_1',
      name: 'Northwind',
      postal_address: '12 Dock Street',
      tracking: 'off',
      api_tracking: 'off',
      events_keep_months: 13,
    },
  })
  site.on('listSessions', {
    json: [session('s1', 'Firefox on Windows', true), session('s2', 'Safari on iPhone', false)],
    headers: { 'X-Total-Count': '2' },
  })
})

function session(id: string, device: string, isCurrent: boolean) {
  const at = '2025-08-14T09:30:00.000Z'
  return { id, device, created_at: at, last_used_at: at, expires_at: at, is_current: isCurrent }
}
const open = () => openDashboard(browser, site, { path: '/dashboard/profile', token: 'at_1' })
const received = (method: string, path: string) =>
  site.received.filter((one) => one.method === method && one.path === path).map(({ body }) => body)
const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true })

describe('the profile', () => {
  it('PROFILE-01 shows the details of the signed-in user', async () => {
    await using opened = await open()
    const { page } = opened
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('studio@northwind.example').waitFor()
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ada')
    await expect.poll(() => page.getByLabel('Last name').inputValue()).toBe('North')
    await details.getByText('14 August 2025').waitFor()
  })

  it('PROFILE-02 its form changes the name, here and in the shell', async () => {
    site.on('updateCurrentUser', ({ body }) => ({ json: sampleUser(body as object) }))
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('First name').fill('Bo')
    await page.getByRole('button', { name: 'Save name' }).click()
    await form(page, 'Details').getByText('Saved').waitFor()
    expect(received('PATCH', '/auth/user')).toEqual([{ first_name: 'Bo', last_name: 'North' }])
    await page.getByRole('img', { name: 'Profile image of Bo North' }).waitFor()
  })

  it('keeps the input when saving fails, and shows the reason', async () => {
    site.on('updateCurrentUser', { status: 503, json: { detail: 'The service is stopping.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('First name').fill('Bo')
    await page.getByRole('button', { name: 'Save name' }).click()
    await form(page, 'Details').getByRole('alert').getByText('The service is stopping.').waitFor()
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Bo')
  })

  it('changes the password when the current one and two equal new ones are given', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Change password' }).click()
    for (const sentence of [
      'Password is required',
      'Password must be at least 6 characters',
      'Please confirm your password',
    ])
      await page.getByText(sentence).waitFor()
    await page.getByLabel('Current password').fill('old one')
    await page.getByLabel('New password').fill('a new one')
    await page.getByLabel('Confirm password').fill('another')
    await page.getByText('Passwords do not match').waitFor()
    expect(received('POST', '/auth/change-password')).toEqual([])
    await page.getByLabel('Confirm password').fill('a new one')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Changed. Your other sessions have ended.').waitFor()
    expect(received('POST', '/auth/change-password')).toEqual([
      { current_password: 'old one', new_password: 'a new one' },
    ])
    await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')
  })

  it('shows when the password can be tried again', async () => {
    site.on('changePassword', {
      status: 429,
      json: { detail: 'Too many attempts.' },
      headers: { 'Retry-After': '600' },
    })
    await using opened = await open()
    const { page } = opened
    for (const label of ['Current password', 'New password', 'Confirm password'])
      await page.getByLabel(label).fill('a new one')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText(/Too many attempts\. Try again at \d\d:\d\d\./).waitFor()
  })

  it('offers a password reset by mail to a user without a password', async () => {
    site.on('getCurrentUser', { json: sampleUser({ has_password: false }) })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('region', { name: 'Password' }).getByRole('link', { name: 'Set one by mail' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Close account…' }).isDisabled()).toBe(true)
  })

  it('saves the workspace’s name and postal address', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Postal address').fill('1 Other Street\nBremen')
    await page.getByRole('button', { name: 'Save workspace' }).click()
    await form(page, 'Workspace').getByText('Saved').waitFor()
    expect(received('PATCH', '/workspace')).toEqual([{ name: 'Northwind', postal_address: '1 Other Street\nBremen' }])
  })

  it("lists the user's sessions, and revokes one", async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByText('current', { exact: true }).waitFor()
    site.on('revokeSession', ({ params }) => {
      site.on('listSessions', { json: [session('s1', 'Firefox on Windows', true)], headers: { 'X-Total-Count': '1' } })
      return { status: params['id'] === 's2' ? 204 : 404 }
    })
    await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
    await page.getByText('Safari on iPhone is signed out').waitFor()
    await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).waitFor({ state: 'detached' })
  })

  it('shows the rest when sessions and workspace fail to load, and retries', async () => {
    const answers = signedInResponses()
    site.on('listSessions', { status: 503, json: { detail: 'The service is starting.' } })
    site.on('getWorkspace', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByText('The sessions could not be loaded').waitFor()
    site.on('getWorkspace', answers['getWorkspace'] ?? {})
    await page.getByRole('region', { name: 'Workspace' }).getByRole('button', { name: 'Try Again' }).click()
    await page.getByLabel('Postal address').waitFor()
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ada')
  })
})

describe('closing the account', () => {
  it("lists the deleted data, requires the password, and clears the browser's storage", async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Close account…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Close your account' })
    for (const words of ['every connected mailbox', 'which are cancelled', 'kept for 30 days'])
      await dialog.getByText(words).waitFor()
    await dialog.getByRole('button', { name: 'Close my account' }).click()
    await dialog.getByText('Password is required').waitFor()
    expect(received('POST', '/auth/close-account')).toEqual([])
    await dialog.getByLabel('Password').fill('correct horse')
    await dialog.getByRole('button', { name: 'Close my account' }).click()
    await page.waitForURL('**/login')
    expect(received('POST', '/auth/close-account')).toEqual([{ password: 'correct horse' }])
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
  })

  it('stays open when the password is wrong', async () => {
    site.on('closeAccount', { status: 400, json: { detail: 'The current password is wrong. Enter it again.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Close account…' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill('guess')
    await page.getByRole('button', { name: 'Close my account' }).click()
    await page.getByRole('dialog').getByText('The current password is wrong.').waitFor()
    await page.getByRole('button', { name: 'Keep my account' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => localStorage.getItem('access_token'))).toBe('at_1')
  })
})

describe('preferences', () => {
  it('set on another machine apply from sign-in on', async () => {
    site.on('getCurrentUser', { json: sampleUser({ preferences: { scheme: 'dark', sidebar: 'collapsed' } }) })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Open sidebar' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['scheme'])).toBe('dark')
    expect(received('PATCH', '/auth/user')).toEqual([])
  })

  it('set here are sent to the server, and apply also when it fails', async () => {
    site.on('updateCurrentUser', { status: 503, json: { detail: 'No.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('banner').getByRole('radio', { name: 'Light' }).check({ force: true })
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect
      .poll(() => received('PATCH', '/auth/user'))
      .toEqual([{ preferences: { scheme: 'light' } }, { preferences: { sidebar: 'collapsed' } }])
    await page.reload()
    await page.getByRole('button', { name: 'Open sidebar' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['scheme'])).toBe('light')
  })
})
