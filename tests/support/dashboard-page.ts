import type { Browser, Page } from 'playwright-core'
import { startApi, type ApiServer } from './api-server.ts'
import { openPage, type OwnPage } from './browser.ts'
import { signedInAnswers } from './sample-answers.ts'
import { serveDashboard } from './site.ts'

/** The built dashboard before a stand-in for the API that answers by the contract. */
export async function startDashboard(): Promise<ApiServer> {
  return startApi(signedInAnswers(), await serveDashboard())
}

export interface DashboardOptions extends NonNullable<Parameters<typeof openPage>[1]> {
  path?: string
  /** Kept under access_token before the page loads. */
  token?: string
}

/**
 * Opens the dashboard at a path, as a visitor or with a token. A refused or missing answer is a line in the console, as
 * is a delete that failed by it, and so is a websocket: the stand-in has none.
 */
export async function openDashboard(
  browser: Browser,
  site: ApiServer,
  options: DashboardOptions = {},
): Promise<OwnPage> {
  const { path = '/', token, ...rest } = options
  const opened = await openPage(browser, {
    allowFaults: /Failed to load resource|WebSocket connection|^Sendwright: .* failed \(/,
    ...rest,
  })
  if (token !== undefined) await opened.page.context().addInitScript(keepToken, token)
  await opened.page.goto(site.url + path, { waitUntil: 'domcontentloaded' })
  return opened
}

/** Runs in each page before its scripts: once a tab, for a logout must last. */
function keepToken(token: string): void {
  if (sessionStorage.getItem('token-was-kept') !== null || window !== window.top) return
  sessionStorage.setItem('token-was-kept', 'yes')
  localStorage.setItem('access_token', token)
}

/** The path the page is at. */
export const pathOf = (page: Page) => new URL(page.url()).pathname
