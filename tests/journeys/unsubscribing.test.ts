import { beforeAll, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { axeViolations, openPage, viewports, useBrowser } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
const server = await useServer()
const browser = await useBrowser()
beforeAll(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
})

/** The visible link in the footer of a campaign's mail. */
async function linkTo(recipient: string): Promise<string> {
  const given = { subject: 'News', body: '<p>News</p>', config_id: user.mailboxId, recipients: [recipient] }
  const { body } = await server.call('POST', '/email/campaign', { token: user.token, body: given })
  await server.call('POST', `/email/campaign/${(body as Campaign).id}/launch`, { token: user.token, body: {} })
  const [mail] = await server.mailsTo(recipient)
  return /href="([^"]+)">Unsubscribe</.exec(mail?.html ?? '')?.[1] ?? ''
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(viewports)) {
    it(`a recipient unsubscribes from a mail, ${colorScheme}, on a ${size}, and axe finds no violation`, async () => {
      const recipient = `leaves-${colorScheme}-${size}@example.com`
      await using opened = await openPage(browser, { colorScheme, viewport })
      const { page } = opened
      await page.goto(await linkTo(recipient))
      await expect.poll(() => page.getByRole('heading').textContent()).toBe('Unsubscribe?')
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      const list = await server.call('GET', '/email/suppressions', { token: user.token })
      expect(list.text).toContain(recipient)
    })
  }
}

it('the preference page draws its fields dark where the reader’s system is', async () => {
  const link = (await linkTo('reads-at-night@example.com')).replace('/unsubscribe/', '/preferences/')
  await using opened = await openPage(browser, { colorScheme: 'dark' })
  const { page } = opened
  await page.goto(link)
  const brightness = await page
    .getByLabel('Preferred language')
    .evaluate((field) => Math.max(...getComputedStyle(field).backgroundColor.match(/\d+/g)!.slice(0, 3).map(Number)))
  expect(brightness).toBeLessThan(128)
  expect(await axeViolations(page)).toEqual([])
})

it('PREFERENCES-20 the fields of the preference page have labels, can all be set by keyboard, and fit a width of 320 px without sideways scrolling', async () => {
  const recipient = 'chooses@example.com'
  const topic = { name: 'News about bridges, harbours and lighthouses of the northern coast', is_public: true }
  await server.call('POST', '/email/lists', { token: user.token, body: topic })
  const link = (await linkTo(recipient)).replace('/unsubscribe/', '/preferences/')
  await using opened = await openPage(browser, { viewport: { width: 320, height: 640 } })
  const { page } = opened
  await page.goto(link)
  await page.getByRole('heading', { name: 'Your mail preferences' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  const labels = await page
    .locator('input, select')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent.trim()))
  expect(labels).toEqual([
    topic.name,
    'Every mail',
    'At most one campaign a week',
    'No campaigns for some time',
    'Preferred language',
  ])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.type('60')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Deutsch')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Your choices are saved.').waitFor()
  await expect.poll(() => page.getByLabel(topic.name).isChecked()).toBe(true)
  await expect.poll(() => page.getByLabel('At most one campaign a week').isChecked()).toBe(true)
  await expect
    .poll(() => page.getByLabel('No campaigns for some time').locator('option:checked').textContent())
    .toContain('Paused')
  await expect.poll(() => page.getByLabel('Preferred language').inputValue()).toBe('de')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
