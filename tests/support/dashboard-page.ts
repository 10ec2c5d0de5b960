import type { Browser, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { startApi, type ApiServer } from './api-server.ts'
import { openPage, useBrowser, type OpenedPage, type PageOptions } from './browser.ts'
import { signedInResponses } from './sample-answers.ts'
import { serveDashboard } from './site.ts'

/** The built dashboard with a stand-in for the API that responds as the contract describes. */
export async function startDashboard(): Promise<ApiServer> {
  return startApi(signedInResponses(), await serveDashboard())
}

/** That dashboard and a browser for all tests of the file that calls this first. */
export async function useDashboard(): Promise<{ browser: Browser; site: ApiServer }> {
  const site = await startDashboard()
  afterAll(() => site.close())
  return { browser: await useBrowser(), site }
}

export interface DashboardOptions extends PageOptions {
  path?: string
  /** Stored under access_token before the page loads. */
  token?: string
}

/**
 * Opens the dashboard at a path, as a visitor or with a token. These log to the console: a failed or missing response,
 * a delete that failed by it, and a websocket, which the stand-in does not have.
 */
export async function openDashboard(
  browser: Browser,
  site: ApiServer,
  options: DashboardOptions = {},
): Promise<OpenedPage> {
  const { path = '/', token, ...rest } = options
  const opened = await openPage(browser, {
    allowFaults: /Failed to load resource|WebSocket connection|^Sendwright: .* failed \(/,
    ...rest,
  })
  if (token !== undefined) await opened.page.context().addInitScript(keepToken, token)
  await opened.page.goto(site.url + path, { waitUntil: 'domcontentloaded' })
  return opened
}

/** Opens a screen as a user who has signed in: the sign-in has journeys of its own. */
export async function enterDashboard(
  page: Page,
  server: { url: string },
  user: { token: string },
  path = '/dashboard',
): Promise<void> {
  await page.addInitScript(keepToken, user.token)
  await page.goto(server.url + path)
}

/** Runs in each page before its scripts: once per tab, because a logout must persist. */
function keepToken(token: string): void {
  if (sessionStorage.getItem('token-was-kept') !== null || window !== window.top) return
  sessionStorage.setItem('token-was-kept', 'yes')
  localStorage.setItem('access_token', token)
}

/** The path the page is at. */
export const pathOf = (page: Page) => new URL(page.url()).pathname
