import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { axeViolations, connectBrowser, openPage, viewports } from '../support/browser.ts'
import { signUpUser, startTestServer, type TestServer, type TestUser } from '../support/server.ts'

let server: TestServer
let user: TestUser
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestServer(), connectBrowser()])
  user = await signUpUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
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
