import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiServer } from '../support/api-server.ts'
import { connectBrowser } from '../support/browser.ts'
import { openDashboard, startDashboard } from '../support/dashboard-page.ts'
import { sampleCampaign, sampleConfig, sampleEmbed, sampleSuppression } from '../support/samples.ts'
import { setTemplateResponses } from '../support/template-screens.ts'

const token = 'at_4b8e1f'
const secretKey = 'ck_4f9a7c1e5b2d8f60'
const sentence = 'The service is stopping.'
let browser: Browser
let site: ApiServer
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
  setTemplateResponses(site)
  const one = (row: object) => ({ json: [row], headers: { 'X-Total-Count': '1' } })
  site.on('listEmailConfigs', one(sampleConfig({ secret_key: secretKey })))
  site.on('listEmailCampaigns', one(sampleCampaign()))
  site.on('listSuppressions', one(sampleSuppression()))
  site.on('getEmbed', { json: sampleEmbed() })
  site.on('listEmbedSessions', { json: [], headers: { 'X-Total-Count': '0' } })
  site.on('listEmbedAudit', { json: [], headers: { 'X-Total-Count': '0' } })
  const deletes = ['EmailConfig', 'EmailTemplate', 'EmailCampaign', 'Suppression', 'Embed']
  for (const what of deletes) site.on(`delete${what}`, { status: 503, json: { detail: sentence } })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

it.each([
  ['mailbox', '/dashboard/email_config', 'Delete'],
  ['template', '/dashboard/templates', 'Delete'],
  ['campaign', '/dashboard/campaigns', 'Delete'],
  ['address', '/dashboard/suppressions', 'Remove'],
  ['embed', `/dashboard/embeds#${sampleEmbed().id}`, 'Delete'],
])(
  'TRIAL-26 ERRORS-33 a failed delete shows a toast and writes a console error without token, key or password: %s',
  async (what, path, act) => {
    await using opened = await openDashboard(browser, site, { path, token })
    const { page } = opened
    await page
      .locator('main')
      .getByRole('button', { name: new RegExp(`^${act}`) })
      .first()
      .click()
    await confirm(page, act)
    await page.locator('.toast').getByText(sentence).waitFor()
    const written = () => opened.faults.filter((line) => line.startsWith('Sendwright:'))
    await expect
      .poll(written)
      .toEqual([`Sendwright: ${act === 'Remove' ? 'removing' : 'deleting'} the ${what} failed (HTTP 503)`])
    expect(opened.faults.join('\n')).not.toMatch(new RegExp(`${token}|${secretKey}|password|Bearer|@`))
  },
)
