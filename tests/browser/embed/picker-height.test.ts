import { describe, expect, it } from 'vitest'
import { reservedHeight } from '../../../contract/embed/embed-heights.ts'
import { axeViolations, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleTemplate } from '../../support/samples.ts'
import { layoutShift, recordLayoutShifts } from '../../support/whole-page.ts'

const bench = embedBench()
const list = (json: unknown[]) => ({ json, headers: { 'X-Total-Count': String(json.length), ...cors } })
const long = 'A subject that goes on and on about an order and everything that ever was said of it in any language'
const counts = { none: 0, three: 3, fifty: 50 }
/** Both in the frame of a theme; the first waits for a session, the second shows a sign-in button. */
const ways = { 'a session': '', 'a sign-in': 'data-sendwright-token-url=""' }

async function open(count: number, width: number, attributes: string) {
  const { api } = bench.embed
  const templates = Array.from({ length: count }, (_, at) => sampleTemplate({ id: `t${at}`, subject: `${at} ${long}` }))
  api.on('getEmailTemplates', list(templates))
  api.on('listDocuments', list([]))
  const facts = { id: 'pk_test', widgets: ['template-picker'], popup_sign_in: true }
  api.on('getEmbedConfig', { json: facts, headers: cors })
  const style = `min-height: ${reservedHeight('template-picker')}`
  const element = `<div data-sendwright="template-picker" data-sendwright-theme="dark" ${attributes} style="${style}"></div>`
  bench.host.on('/', pageWith(bench.embed, `<main><h1>Host</h1>${element}<p id="below">Below</p></main>`))
  const opened = await openPage(bench.browser, { viewport: { width, height: 1000 } })
  const { page } = opened
  await recordLayoutShifts(page)
  await page.goto(bench.host.url)
  await waitForState(page, 'ready')
  await (count === 0 ? page.getByText('No templates yet') : page.getByText(`${count} templates`)).waitFor()
  if (attributes !== '') await page.getByRole('button', { name: 'Sign In' }).waitFor()
  return opened
}

describe.each(Object.entries(ways))('a template picker with %s', (_way, attributes) => {
  it.each(Object.entries(counts))(
    'does not shift the layout when it loads with %s, from 360 to 1280 px',
    async (_many, count) => {
      for (const width of [360, 480, 919, 920, 1280]) {
        await using opened = await open(count, width, attributes)
        expect([width, await layoutShift(opened.page)]).toEqual([width, expect.closeTo(0, 3)])
      }
    },
  )
})

it('the list of a picker scrolls on its own, the last of fifty can be picked, and axe finds no violation', async () => {
  await using opened = await open(50, 1280, '')
  const { page } = opened
  const below = () => page.locator('#below').evaluate((one) => one.getBoundingClientRect().top + scrollY)
  const before = await below()
  const picked = page.evaluate(
    () =>
      new Promise((resolve) =>
        document.addEventListener('sendwright:template-picked', (event) => resolve((event as CustomEvent).detail)),
      ),
  )
  await page.getByRole('button', { name: /^49 / }).click()
  expect(await picked).toMatchObject({ id: 't49' })
  await expect.poll(() => below()).toBe(before)
  expect(await axeViolations(page)).toEqual([])
})
