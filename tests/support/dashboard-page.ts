import type { Browser, Page } from 'playwright-core'
import { startApi, type ApiServer, type Handler } from './api-server.ts'
import { openPage, type OwnPage } from './browser.ts'
import { sampleConfig, sampleMessage, sampleUser } from './samples.ts'
import { serveDashboard } from './site.ts'

/** The built dashboard before a stand-in for the API that answers by the contract. */
export function startDashboard(): Promise<ApiServer> {
  return startApi(signedInAnswers(), serveDashboard())
}

/** Answers for a signed-in person with one mailbox; the sandbox is off. Set them again before each test. */
export function signedInAnswers(): Record<string, Handler> {
  return {
    getCurrentUser: { json: sampleUser() },
    signIn: { json: { access_token: 'at_1', confirmed_email: true } },
    signOut: { status: 204 },
    signUp: { status: 201, json: { message: 'Check your email.' } },
    requestPasswordReset: { json: { message: 'Sent.' } },
    updatePassword: { json: { message: 'Updated.' } },
    resendConfirmation: { json: { message: 'Sent.' } },
    confirmEmail: { json: { message: 'Your email is confirmed.', error: null } },
    listEmailConfigs: { json: [sampleConfig()], headers: { 'X-Total-Count': '1' } },
    addEmailConfig: { status: 201, json: sampleConfig({ id: 'cfg_new', email_address: 'new@example.com' }) },
    deleteEmailConfig: { status: 204 },
    sendMailWithKey: {
      json: { message: 'Email sent successfully to 1 recipients', id: 'msg_1', accepted: 1, suppressed: 0 },
    },
    getMessage: { json: sampleMessage({ 'visitor-1@example.org': 'sent' }) },
    listSandboxMessages: { status: 404, json: { detail: 'Nothing is here.' } },
  }
}

export interface DashboardOptions extends NonNullable<Parameters<typeof openPage>[1]> {
  path?: string
  /** Kept under access_token before the page loads. */
  token?: string
}

/** Opens the dashboard at a path, as a visitor or with a token. A refused or missing answer is a line in the console. */
export async function openDashboard(
  browser: Browser,
  site: ApiServer,
  options: DashboardOptions = {},
): Promise<OwnPage> {
  const { path = '/', token, ...rest } = options
  const opened = await openPage(browser, { allowFaults: /Failed to load resource/, ...rest })
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
