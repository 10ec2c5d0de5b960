import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignReport } from '../../../contract/results/report.ts'
import { agentTexts } from '../../../tests/support/event-world.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts'

it('VERDICTS-09 an operator replaces the networks file, and hits are judged by it', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'networks')
  await writeFile(path, '# This machine\n127.0.0.0/8 all machine scanner\n')
  await using server = await startTestServer({ NETWORKS_FILE: path })
  const { token, id, pixel } = await sendTracked(server)
  await server.call('GET', pixel, { headers: { 'user-agent': agentTexts.firefox } })
  const opened = async () =>
    ((await server.call('GET', `/email/campaign/${id}/report`, { token })).body as CampaignReport).opened
  await expect.poll(opened, wait).toMatchObject({ people: 0, machines: 1 })
})

it('VERDICTS-14 a second click within 30 s is probable from a second network and system, and a person’s from the same network', async () => {
  await using server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1/32,::1/128' })
  const { id, click } = await sendTracked(server)
  const clickFrom = async (address: string, agent: keyof typeof agentTexts) => {
    const headers = { 'user-agent': agentTexts[agent], 'x-forwarded-for': address }
    expect((await server.call('GET', click, { headers })).status).toBe(302)
  }
  const counted = () =>
    server.sql<{ verdict: number; n: number }>(
      'select verdict, n::int from source_counts where source_id = $1 and kind = 2 and n > 0 order by verdict',
      [id],
    )
  await clickFrom('93.184.216.7', 'iphone')
  await clickFrom('93.184.216.8', 'chrome')
  await expect.poll(counted, wait).toEqual([{ verdict: 1, n: 2 }])
  await clickFrom('93.184.217.7', 'chrome')
  await expect.poll(counted, wait).toEqual([
    { verdict: 1, n: 2 },
    { verdict: 2, n: 1 },
  ])
})

const wait = { interval: 100 }

/** A campaign with one mail that was taken a minute ago. */
async function sendTracked(server: TestServer) {
  const { token, mailboxId, email } = await createUser(server)
  await server.call('PATCH', '/workspace', { token, body: { postal_address: '1 Main Street', tracking: 'identified' } })
  const to = `reader.${email}`
  const given = { subject: 'News', body: '<a href="https://example.org/a">A</a>', config_id: mailboxId }
  const made = await server.call('POST', '/email/campaign', { token, body: { ...given, recipients: [to] } })
  const { id } = made.body as Campaign
  await server.call('POST', `/email/campaign/${id}/launch`, { token, body: {} })
  const [mail] = await server.mailsTo(to)
  const pathOf = (pattern: RegExp) => pattern.exec(mail?.html ?? '')![1]!.replaceAll('&amp;', '&')
  await expect
    .poll(() => server.sql('select state from deliveries where campaign_id = $1', [id]), wait)
    .toEqual([{ state: 'sent' }])
  await server.sql(`update deliveries set settled_at = settled_at - interval '1 minute' where campaign_id = $1`, [id])
  return {
    token,
    id,
    pixel: pathOf(/src="https?:\/\/[^/]*(\/o\/[^"]*)"/),
    click: pathOf(/href="https?:\/\/[^/]*(\/c\/[^"]*)"/),
  }
}
