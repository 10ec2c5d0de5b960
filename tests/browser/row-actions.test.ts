import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiServer } from '../support/api-server.ts'
import { connectBrowser, viewports } from '../support/browser.ts'
import { openDashboard, startDashboard } from '../support/dashboard-page.ts'
import { campaignCounts, sampleCampaign, sampleSuppression } from '../support/samples.ts'
import { setTemplateResponses } from '../support/template-screens.ts'

let browser: Browser
let site: ApiServer
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
  setTemplateResponses(site)
  const counts = campaignCounts({ sent: 1, queued: 2, failed: 3 })
  site.on('listEmailCampaigns', {
    json: [sampleCampaign({ status: 'sending', counts })],
    headers: { 'X-Total-Count': '1' },
  })
  site.on('listSuppressions', { json: [sampleSuppression()], headers: { 'X-Total-Count': '1' } })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

/** The visible texts of the icon buttons in rows of tables or lists, open shadow roots included. */
const iconButtons = (page: Page) =>
  page.locator(':is(main tr, main li, sendwright-config-manager tr) button:has(.icon)').evaluateAll((buttons) =>
    buttons.map((button) => {
      const text = (button as HTMLElement).innerText.trim()
      return text === '' ? `without a label: ${button.getAttribute('aria-label') ?? ''}` : text
    }),
  )

/** The visible texts of all elements that the Tab key reaches, in order. */
async function reachedByTab(page: Page): Promise<string[]> {
  const reached: string[] = []
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press('Tab')
    const text = await page.evaluate(() => {
      let active = document.activeElement
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
      return active === document.body ? null : ((active as HTMLElement | null)?.innerText.trim() ?? '')
    })
    if (text === null && reached.length > 0) break
    if (text !== null) reached.push(text)
  }
  return reached
}

describe.each([
  ['desktop', viewports.desktop],
  ['phone', viewports.phone],
])('on a %s', (_name, viewport) => {
  it.each([
    ['email configurations', '/dashboard/email_config', ['Copy key', 'Test', 'Pause', 'Limits', 'New key', 'Delete']],
    ['templates', '/dashboard/templates', ['Edit', 'Copy key', 'Duplicate', 'Delete']],
    ['global templates', '/dashboard/globalTemplates', ['Save Template', 'Edit']],
    ['campaigns', '/dashboard/campaigns', ['Send again', 'Pause', 'Cancel']],
    ['suppressions', '/dashboard/suppressions', ['Remove']],
  ])(
    'TRIAL-83 every icon of a row of actions has a visible label and is reached by keyboard: %s',
    async (_what, path, labels) => {
      await using opened = await openDashboard(browser, site, { path, token: 'at_1', viewport })
      const { page } = opened
      await page
        .getByRole('button', { name: new RegExp(`^${labels.at(-1)} `) })
        .first()
        .waitFor()
      // Limits load with the usage, after the rows.
      await expect.poll(async () => (await iconButtons(page)).slice(0, labels.length)).toEqual(labels)
      const shown = await iconButtons(page)
      expect(shown.filter((text) => !labels.includes(text))).toEqual([])
      expect(await reachedByTab(page)).toEqual(expect.arrayContaining(labels))
    },
  )
})
