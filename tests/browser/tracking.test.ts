import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TrackingDomain } from '../../contract/results/tracking-domain.ts'
import type { ApiServer } from '../support/api-server.ts'
import { connectBrowser } from '../support/browser.ts'
import { openDashboard, startDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { checkScenes } from '../support/scenes.ts'

let browser: Browser
let site: ApiServer
let kept: TrackingDomain[]
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const domain = (host: string, given: Partial<TrackingDomain> = {}): TrackingDomain => ({
  id: `td_${host}`,
  host,
  state: 'pending',
  record: { type: 'CNAME', name: host, value: 'mail.sendwright.example' },
  error: null,
  checked_at: null,
  failing_since: null,
  created_at: '2026-11-02T09:00:00.000Z',
  ...given,
})
const workspace = (tracking: string) => ({
  json: { id: 'wsp_1', name: 'Northwind', postal_address: null, tracking, api_tracking: 'off', events_keep_months: 13 },
})

beforeEach(() => {
  site.received.length = 0
  kept = []
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('listTrackingDomains', () => ({ json: kept }))
  site.on('createTrackingDomain', ({ body }) => {
    kept = [...kept, domain((body as { host: string }).host)]
    return { status: 201, json: kept.at(-1) }
  })
})

const open = () => openDashboard(browser, site, { path: '/dashboard/tracking', token: 'at_1' })
const group = (page: Page, host: string) => page.getByRole('group', { name: host })

describe('the Tracking screen', () => {
  it('turns tracking of campaigns on', async () => {
    site.on('updateWorkspace', workspace('identified'))
    await using opened = await open()
    const { page } = opened
    const modes = page.getByRole('region', { name: 'Opens and clicks' })
    await modes.getByLabel('Campaigns').selectOption({ label: 'By person: who opened and clicked' })
    await modes.getByRole('button', { name: 'Save tracking' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(site.received.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ tracking: 'identified' })
  })

  it('sets for how long single opens and clicks are kept', async () => {
    site.on('updateWorkspace', workspace('off'))
    await using opened = await open()
    const { page } = opened
    const modes = page.getByRole('region', { name: 'Opens and clicks' })
    const months = modes.getByLabel('Keep single opens and clicks for')
    await expect.poll(() => months.inputValue()).toBe('13')
    await months.selectOption({ label: '6 months' })
    await modes.getByRole('button', { name: 'Save tracking' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(site.received.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ events_keep_months: 6 })
  })

  it('adds a domain, shows its DNS record, and names what to correct until it is in use', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('Enter a subdomain of your own.').waitFor()
    const host = 'links.northwind.example'
    await page.getByLabel('Subdomain').fill(host)
    await page.getByLabel('Subdomain').press('Enter')
    const added = group(page, host)
    await added.getByText('Not used yet').waitFor()
    await expect.poll(() => added.locator('code').allTextContents()).toEqual(['CNAME', host, 'mail.sendwright.example'])
    const copy = added.getByRole('button', { name: /^Copy (?:name|value)$/ })
    await expect.poll(() => copy.allInnerTexts()).toEqual(['Copy', 'Copy'])
    const fault = `The certificate of ${host} is not valid for it (CERT_HAS_EXPIRED). Install one that is issued for ${host}.`
    site.on('checkTrackingDomain', { json: domain(host, { error: fault }) })
    await added.getByRole('button', { name: 'Check now' }).click()
    await added.getByText(fault).waitFor()
    site.on('checkTrackingDomain', { json: domain(host, { state: 'active' }) })
    await added.getByRole('button', { name: 'Check now' }).click()
    await added.getByText('In use', { exact: true }).waitFor()
    await expect.poll(() => added.getByText(fault).count()).toBe(0)
  })

  it('shows why a domain was refused, and keeps what was typed', async () => {
    const detail = [
      { loc: ['body', 'host'], msg: 'host is not a public subdomain of your own', type: 'domain_invalid' },
    ]
    site.on('createTrackingDomain', { status: 422, json: { detail } })
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subdomain').fill('localhost')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('is not a public subdomain of your own').waitFor()
    await expect.poll(() => page.getByLabel('Subdomain').inputValue()).toBe('localhost')
  })

  it('removes a domain after a question', async () => {
    kept = [domain('links.northwind.example', { state: 'active' })]
    site.on('deleteTrackingDomain', { status: 204 })
    await using opened = await open()
    const { page } = opened
    await group(page, 'links.northwind.example').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => group(page, 'links.northwind.example').count()).toBe(0)
    await page.getByLabel('Subdomain', { exact: true }).waitFor()
  })
})

checkScenes(
  {
    'the Tracking screen with a new, an active and a failing domain': {
      path: '/dashboard/tracking',
      token: 'at_1',
      prepare: () => {
        kept = [
          domain('links.northwind.example', { state: 'active' }),
          domain('click.northwind.example', {
            state: 'failing',
            error: 'click.northwind.example has no CNAME record. Create it with the value mail.sendwright.example.',
          }),
          domain('news.northwind.example'),
        ]
      },
      act: async (page) => {
        await page.getByText('Not used yet').waitFor()
      },
    },
  },
  () => ({ browser, site }),
)
