import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleConfig } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = async (options: DashboardOptions = {}) => {
  const opened = await openDashboard(browser, site, { path: '/docs', ...options })
  // The copied text: a clipboard without a permission prompt.
  await opened.page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: (text: string) => Promise.resolve(void ((window as { copied?: string }).copied = text)) },
    })
  })
  await opened.page.reload()
  await opened.page.getByRole('button', { name: 'Copy base URL' }).waitFor()
  return opened
}
const copied = (page: Page) => page.evaluate(() => (window as { copied?: string }).copied)
const sample = (page: Page, language: string) => page.getByLabel(`${language} sample`, { exact: true })

describe('the documentation', () => {
  it('DOCS-01 shows a base URL, which is copied verbatim', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('region', { name: 'Base URL' }).getByText(site.url, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Copy base URL' }).click()
    await expect.poll(() => copied(page)).toBe(site.url)
  })

  /** The sample of a language, once it is visible. */
  const choose = async (page: Page, language: string) => {
    await page.getByRole('radio', { name: language }).check({ force: true })
    return sample(page, language).innerText()
  }

  it('DOCS-02 shows a sample in curl', async () => {
    await using opened = await open()
    expect(await choose(opened.page, 'curl')).toContain('curl -X POST')
  })

  it('DOCS-03 shows a sample in JavaScript', async () => {
    await using opened = await open()
    expect(await choose(opened.page, 'javascript')).toContain('await fetch(')
  })

  it('DOCS-04 shows a sample in Python', async () => {
    await using opened = await open()
    expect(await choose(opened.page, 'python')).toContain('requests.post(')
  })

  it('DOCS-05 shows a sample in PHP', async () => {
    await using opened = await open()
    expect(await choose(opened.page, 'php')).toContain('<?php')
  })

  it('DOCS-06 shows a sample in C#', async () => {
    await using opened = await open()
    expect(await choose(opened.page, 'C#')).toContain('HttpClient()')
  })

  it('DOCS-07 each sample has a button that copies it verbatim', async () => {
    await using opened = await open()
    const { page } = opened
    for (const language of ['curl', 'javascript', 'python', 'php', 'C#']) {
      const shown = await choose(page, language)
      await page.getByRole('button', { name: `Copy ${language} sample` }).click()
      await expect.poll(() => copied(page)).toBe(shown)
    }
  })

  it('DOCS-08 after a copy the button shows the copied state, and then resets', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Copy curl sample' }).click()
    await page.getByRole('button', { name: 'Copied curl sample' }).waitFor()
    await page.getByRole('button', { name: 'Copy curl sample' }).waitFor()
  })

  it('DOCS-09 documents POST /api/send-mail/{secret_key}, in the text and in every sample', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByText('POST /api/send-mail/{secret_key}').waitFor()
    for (const language of ['curl', 'javascript', 'python', 'php', 'C#']) {
      await page.getByRole('radio', { name: language }).check({ force: true })
      await expect.poll(() => sample(page, language).innerText()).toContain(`${site.url}/api/send-mail/YOUR_SECRET_KEY`)
    }
  })

  it('documents errors, limits, merge variables, idempotency and embedding', async () => {
    await using opened = await open()
    const { page } = opened
    for (const name of ['Fields', 'Answer', 'Merge variables', 'Retrying a call', 'Errors', 'Limits', 'Embedding']) {
      await page.getByRole('region', { name, exact: true }).waitFor()
    }
    await page.getByRole('row', { name: /^502 The mail server refused/ }).waitFor()
  })
})

describe('for a signed-in user', () => {
  const shop = sampleConfig({ id: 'cfg_2', email_address: 'shop@northwind.example', secret_key: 'ck_of_the_shop' })
  const two = { json: [sampleConfig(), shop], headers: { 'X-Total-Count': '2' } }

  it("the samples contain the user's own key, masked in the page and complete in the copied text", async () => {
    site.on('listEmailConfigs', two)
    await using opened = await open({ path: '/dashboard/documentation', token: 'at_1' })
    const { page } = opened
    await page.getByText('Contains the secret key of').waitFor()
    await expect.poll(() => sample(page, 'curl').innerText()).toContain('/api/send-mail/ck_••••••••')
    await expect.poll(() => page.locator('body').innerHTML()).not.toContain(sampleConfig().secret_key)
    await page.getByRole('button', { name: 'Copy curl sample' }).click()
    await expect.poll(() => copied(page)).toContain(`/api/send-mail/${sampleConfig().secret_key ?? ''}`)
    await page.getByLabel('Mailbox of the secret key').selectOption({ label: shop.email_address })
    await page.getByRole('button', { name: 'Copy curl sample' }).click()
    await expect.poll(() => copied(page)).toContain('/api/send-mail/ck_of_the_shop')
  })

  it('without a mailbox the samples explain where to get a key', async () => {
    site.on('listEmailConfigs', { json: [], headers: { 'X-Total-Count': '0' } })
    await using opened = await open({ path: '/dashboard/documentation', token: 'at_1' })
    await opened.page.getByRole('link', { name: 'connect one' }).waitFor()
    await expect.poll(() => sample(opened.page, 'curl').innerText()).toContain('YOUR_SECRET_KEY')
  })
})
