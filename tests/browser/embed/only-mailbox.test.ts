import { expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()

it('TRIAL-74 the only mailbox is preselected in From in the embed, before and after a send', async () => {
  bench.host.on('/', pageWith(bench.embed, '<div data-sendwright="compose"></div>'))
  await using opened = await openPage(bench.browser)
  const { page } = opened
  await page.goto(bench.host.url)
  await waitForState(page, 'ready')
  const from = page.getByLabel('From', { exact: true })
  await expect.poll(() => from.inputValue()).toBe('eh_one')
  await page.getByLabel('Subject Line').fill('Doors open')
  await page.getByRole('textbox', { name: 'Recipients' }).fill('a@example.com')
  await page.keyboard.press('Enter')
  await page.getByLabel('Message body').fill('Dear friend')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await page.getByRole('region', { name: 'Progress' }).waitFor()
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('')
  await expect.poll(() => from.inputValue()).toBe('eh_one')
})
