import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPageKey, startHostedData, type HostedDataSite } from '../../examples/hosted-data/site.ts'
import { axeViolations, connectBrowser, openPage } from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let browser: Browser
let site: HostedDataSite
beforeAll(async () => {
  ;[server, browser, site] = await Promise.all([startTestServer(), connectBrowser(), startHostedData()])
  site.show({ api: server.url, key: await readPageKey(server.url) })
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

it('TRIAL-30 HOSTED-20 HOSTED-21 a hosted user signs up and in on the example page, whose token and user are kept, and the hint is shown when a call fails', async () => {
  // A failed call is logged to the console.
  await using opened = await openPage(browser, { allowFaults: /Failed to load resource/ })
  const { page } = opened
  await page.goto(site.url)
  const error = page.getByRole('alert')
  const enter = async (act: 'Sign up' | 'Sign in', password: string) => {
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: act }).click()
  }
  const kept = () =>
    page.evaluate(() => ({
      token: localStorage.getItem('cocobase-token'),
      user: JSON.parse(localStorage.getItem('cocobase-user') ?? 'null') as { email: string } | null,
    }))
  const isIn = () => page.getByText('Signed in as ann@example.com').waitFor()

  await enter('Sign up', 'correct horse')
  await isIn()
  const { token } = await kept()
  expect(token).toMatch(/^hu_/)
  await expect.poll(async () => (await kept()).user).toMatchObject({ email: 'ann@example.com' })
  expect(await axeViolations(page)).toEqual([])

  await page.reload()
  await isIn()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => kept()).toEqual({ token: null, user: null })

  await enter('Sign in', 'wrong horse')
  await error.getByText('Check the API key; for a user’s own data, sign in first.').waitFor()
  await enter('Sign in', 'correct horse')
  await isIn()
  await expect.poll(() => error.innerText()).toBe('')
  await expect.poll(async () => (await kept()).token).toMatch(/^hu_/)
  await expect.poll(async () => (await kept()).token).not.toBe(token)

  // With a key unknown to the backend a call fails; the page shows a hint.
  await page.getByRole('button', { name: 'Sign out' }).click()
  site.show({ api: server.url, key: 'hr_unknown' })
  await page.reload()
  await enter('Sign in', 'correct horse')
  await error.getByText('Check the API key').waitFor()
  await expect.poll(async () => (await kept()).token).toBeNull()
})
