import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { sampleCampaign, sampleGlobal, sampleSandboxMessage, sampleTemplate } from '../support/samples.ts'
import { setTemplateResponses } from '../support/template-screens.ts'

const { browser, site } = await useDashboard()

/** Matches wherever the text is rendered as an element, and not where it is text. */
const styled = (words: string) => `<b style="color: rgb(1, 2, 3)">${words}</b>`
const body = `<div>${styled('From the body')}</div>`
const subject = `Hello ${styled('from the subject')}`
beforeEach(() => {
  const template = sampleTemplate({ id: 'tpl_1', key: 'styled-1', name: `Own ${styled('name')}`, subject, body })
  const library = sampleGlobal('global-1', {
    name: `Library ${styled('name')}`,
    category: 'Account',
    description: `Said ${styled('of it')}`,
    subject,
    body,
    context: [],
  })
  setTemplateResponses(site, [template], [library])
  site.on('deleteEmailTemplate', { status: 503, json: { detail: `Not now ${styled('said the server')}` } })
  site.on('listSandboxMessages', { json: [sampleSandboxMessage({ subject, html: body })] })
  const campaign = sampleCampaign({ id: 'cmp_1', name: subject, subject, body })
  site.on('listEmailCampaigns', { json: [campaign], headers: { 'X-Total-Count': '1' } })
  site.on('getEmailCampaign', { json: campaign })
})

const inDialog = (page: Page, name: RegExp) => page.getByRole('dialog', { name })

it.each<[place: string, path: string, act: (page: Page) => Promise<unknown>]>([
  [
    'the preview of an own template',
    '/dashboard/templates',
    (page) => page.getByRole('list', { name: 'Templates' }).getByRole('button').first().click(),
  ],
  [
    'the cards of global templates',
    '/dashboard/globalTemplates',
    (page) => page.getByRole('heading', { level: 2 }).waitFor(),
  ],
  ['the designer', '/dashboard/create', (page) => page.getByLabel('HTML body').fill(body)],
  [
    'the template picker of the composer',
    '/dashboard/send_email',
    async (page) => {
      await page.getByRole('button', { name: 'Choose Template' }).click()
      await inDialog(page, /Choose Template/)
        .getByRole('list')
        .getByRole('button')
        .first()
        .waitFor()
    },
  ],
  ['the sandbox inbox', '/sandbox', (page) => page.getByRole('region', { name: 'Mail', exact: true }).waitFor()],
  [
    'the mail of a draft campaign',
    '/dashboard/campaigns#cmp_1',
    (page) => page.getByRole('region', { name: 'Message' }).waitFor(),
  ],
])(
  'TRIAL-25 SANITISE-18 a mail or template is rendered in a sandboxed frame, and no fragment outside a frame has a style attribute: %s',
  async (_place, path, act) => {
    await using opened = await openDashboard(browser, site, { path, token: 'at_1' })
    const { page } = opened
    await act(page)
    const frames = page.locator('iframe')
    await frames.first().contentFrame().getByText('From the body').waitFor()
    for (const frame of await frames.all()) expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin')
    // In the page itself, including the shadow roots of widgets, the content is text.
    await expect.poll(() => page.locator('b[style], [style*="1, 2, 3"]').count()).toBe(0)
  },
)

it('TRIAL-25 SANITISE-18 the text of a notification and of a confirmation has no style attribute', async () => {
  await using opened = await openDashboard(browser, site, { path: '/dashboard/templates', token: 'at_1' })
  const { page } = opened
  await page.getByRole('button', { name: /^Delete / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.locator('.toast').getByText('said the server').waitFor()
  await expect.poll(() => page.locator('b[style], [style*="1, 2, 3"]').count()).toBe(0)
})
