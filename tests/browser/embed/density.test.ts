import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleConfig, sampleTemplate } from '../../support/samples.ts'

const bench = embedBench()
const list = (json: unknown[]) => ({ json, headers: { 'X-Total-Count': String(json.length), ...cors } })
const four = [1, 2, 3, 4]
const widgets: Record<string, (page: Page) => Promise<void>> = {
  compose: async (page) => {
    await page.getByLabel('Message body').fill('<p>Hi</p>')
    await page.getByRole('document', { name: 'Message' }).getByText('Hi').waitFor()
  },
  'template-picker': (page) => page.getByRole('button', { name: /Subject 4/ }).waitFor(),
  'config-manager': async (page) => {
    await page.getByText('box4@gmail.com').first().waitFor()
    await page.getByRole('button', { name: 'Add Config' }).waitFor()
  },
}

async function open(widget: string, density: string) {
  const { api } = bench.embed
  const mailboxes = four.map((at) =>
    sampleConfig({ id: `cfg_${at}`, email_address: `box${at}@gmail.com`, secret_key: `eh_${at}` }),
  )
  api.on('listEmailConfigs', list(mailboxes))
  api.on('getEmailTemplates', list(four.map((at) => sampleTemplate({ id: `t${at}`, subject: `Subject ${at}` }))))
  api.on('listDocuments', list([]))
  const element = `<div data-sendwright="${widget}" data-sendwright-density="${density}" data-sendwright-recipients="a@example.com"></div>`
  bench.host.on('/', pageWith(bench.embed, element))
  const opened = await openPage(bench.browser, { viewport: { width: 1000, height: 800 } })
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  await widgets[widget]!(opened.page)
  return opened
}

const height = (page: Page) =>
  page.locator('[data-sendwright]').evaluate((element) => element.getBoundingClientRect().height)

/** The height of the lowest control and the smallest font size, in px. */
const smallest = (page: Page) =>
  page.locator('[data-sendwright]').evaluate((element) => {
    let [control, type] = [Infinity, Infinity]
    const inspect = (root: ParentNode) => {
      for (const one of root.querySelectorAll('*')) {
        if (one.shadowRoot) inspect(one.shadowRoot)
        if (!one.checkVisibility()) continue
        // A label adds to the click area of its control; inline links do not count.
        const isControl = one.matches('button:not(.link), input:not([type=radio]), select, textarea')
        if (isControl && !one.closest('.merge, .preview-as')) {
          control = Math.min(control, one.getBoundingClientRect().height)
        }
        const isText = [...one.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
        if (isText) type = Math.min(type, parseFloat(getComputedStyle(one).fontSize))
      }
    }
    inspect(element.shadowRoot!)
    return { control, type }
  })

it.each(Object.keys(widgets))(
  'a compact %s takes at most 85 %% of the space, and stays legible and clickable',
  async (widget) => {
    await using opened = await open(widget, 'comfortable')
    const { page } = opened
    const comfortable = { height: await height(page), ...(await smallest(page)) }
    await page.locator('[data-sendwright]').evaluate((one) => one.setAttribute('data-sendwright-density', 'compact'))
    await expect.poll(() => height(page)).toBeLessThanOrEqual(comfortable.height * 0.85)
    const compact = await smallest(page)
    expect(compact.control).toBeGreaterThanOrEqual(24)
    expect(compact.type).toBeGreaterThanOrEqual(Math.min(13, comfortable.type))
    await page.locator('[data-sendwright]').evaluate((one) => one.removeAttribute('data-sendwright-density'))
    await expect.poll(() => height(page)).toBe(comfortable.height)
  },
)

it('a composer that is mounted compact is compact from its first frame', async () => {
  await using opened = await open('compose', 'compact')
  const row = opened.page.getByRole('form', { name: 'Message' }).locator('.row').first()
  expect(await row.evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(44)
})
