import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ApiServer, Handler } from '../support/api-server.ts'
import { waitForHydration, connectBrowser } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleConfig, sampleTemplate } from '../support/samples.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

// Lists while they load, empty, with too many rows, and after an error; and overlays.

let browser: Browser
let site: ApiServer
const late: (() => void)[] = []
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
})
afterAll(async () => {
  for (const answer of late) answer()
  await browser.close()
  await site.close()
})
beforeEach(() => {
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const failed: Handler = { status: 503, json: { detail: 'The service is starting.' } }
/** Responds after the tests have ended. */
const waiting: Handler = () => new Promise((resolve) => late.push(() => resolve(failed)))
const given = (handler: Handler, ...names: string[]) => {
  for (const name of names) site.on(name, handler)
}
const untilText = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()
const untilBones = (page: Page) => page.getByText('Loading...').first().waitFor({ state: 'attached' })
const inside = { token: 'at_1' }

const scenes: Record<string, Scene> = {
  'the home screen while it loads': {
    ...inside,
    path: '/dashboard',
    prepare: () => given(waiting, 'listEmailConfigs', 'listMessages', 'watchStatistics'),
    act: untilBones,
  },
  'configurations while they load': {
    ...inside,
    path: '/dashboard/email_config',
    prepare: () => given(waiting, 'listEmailConfigs'),
    act: untilBones,
  },
  'configurations that cannot load': {
    ...inside,
    path: '/dashboard/email_config',
    prepare: () => given(failed, 'listEmailConfigs'),
    act: untilText('The list could not be loaded'),
  },
  'hundreds of configurations': {
    ...inside,
    path: '/dashboard/email_config',
    prepare: () => {
      const many = Array.from({ length: 300 }, (_row, at) =>
        sampleConfig({ id: `cfg_${at}`, email_address: `mailbox-${at}@northwind.example` }),
      )
      site.on('listEmailConfigs', { json: many, headers: { 'X-Total-Count': '300' } })
    },
    act: untilText('Show more'),
  },
  'templates while they load': {
    ...inside,
    path: '/dashboard/templates',
    prepare: () => given(waiting, 'getEmailTemplates'),
    act: untilBones,
  },
  'no templates': { ...inside, path: '/dashboard/templates', act: untilText('No templates yet') },
  'templates that cannot load': {
    ...inside,
    path: '/dashboard/templates',
    prepare: () => given(failed, 'getEmailTemplates'),
    act: untilText('The service is starting.'),
  },
  'a search that finds no template': {
    ...inside,
    path: '/dashboard/templates',
    prepare: () => site.on('getEmailTemplates', { json: [sampleTemplate()], headers: { 'X-Total-Count': '1' } }),
    act: async (page) => {
      await page.getByText('Doors open Thursday').first().waitFor()
      await page.getByRole('searchbox').fill('nothing of the kind')
      await page.getByText('Doors open Thursday').waitFor({ state: 'detached' })
    },
  },
  'global templates while they load': {
    ...inside,
    path: '/dashboard/globalTemplates',
    prepare: () => given(waiting, 'listDocuments'),
    act: untilBones,
  },
  'no global templates': { ...inside, path: '/dashboard/globalTemplates', act: untilText('No global templates') },
  'global templates that cannot load': {
    ...inside,
    path: '/dashboard/globalTemplates',
    prepare: () => given(failed, 'listDocuments'),
    act: (page) => page.getByRole('button', { name: 'Try Again' }).waitFor(),
  },
  'the sign-up screen with an account made': {
    path: '/signup',
    act: async (page) => {
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Last name').fill('North')
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'the walk-through of the landing page': {
    path: '/',
    act: async (page) => {
      const demo = page.getByRole('button', { name: 'Watch Demo' })
      await waitForHydration(demo)
      await demo.click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'toasts over a screen': {
    ...inside,
    path: '/dashboard/email_config',
    act: async (page) => {
      await page.getByRole('button', { name: /^Pause/ }).click()
      await page.getByText(/is paused; queued mail is kept/).waitFor()
      await page.getByText(/is paused; queued mail is kept/).hover()
    },
  },
}

checkScenes(scenes, () => ({ browser, site }))
