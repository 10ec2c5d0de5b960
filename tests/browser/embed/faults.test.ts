import { expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleConfig } from '../../support/samples.ts'

const bench = embedBench()

it('TRIAL-03 TRIAL-05 a fault in one widget leaves the other usable, and is shown in its place and in the console', async () => {
  // A response that violates the contract, which no widget can render.
  const headers = { 'Content-Type': 'application/json', 'X-Total-Count': '1', ...cors }
  bench.embed.api.on('listEmailConfigs', { text: JSON.stringify([{ ...sampleConfig(), secret_key: 5 }]), headers })
  const widgets = ['config-manager', 'compose'].map((name) => `<div data-sendwright="${name}"></div>`).join('')
  bench.host.on('/', pageWith(bench.embed, widgets))
  await using opened = await openPage(bench.browser, { allowFaults: /./ })
  const { page } = opened
  await page.goto(bench.host.url)
  await waitForState(page, 'ready', 2)
  const manager = page.locator('[data-sendwright=config-manager]')
  const composer = page.locator('[data-sendwright=compose]')
  await manager.getByText('This part stopped working. What you typed is kept.').waitFor()
  await expect.poll(() => opened.faults.join('\n')).toMatch(/Error/)
  await composer.getByLabel('Subject Line').fill('Doors open')
  await composer.getByLabel('Message body').fill('Dear friend')
  await composer.getByText('Dear friend').first().waitFor()
  bench.embed.api.on('listEmailConfigs', { json: [sampleConfig()], headers })
  await manager.getByRole('button', { name: 'Try Again' }).waitFor()
})
