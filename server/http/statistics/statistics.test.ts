import { beforeEach, describe, expect, it } from 'vitest'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

const count = (query = '', token = user.token) => server.call('GET', `/email/statistics${query}`, { token })

/** A message accepted this long ago, with a delivery in each of these states, settled at its acceptance. */
async function arrange(at: string, states: readonly string[], isCampaign = false): Promise<void> {
  await server.sql(
    `with campaign as (
       insert into campaigns (id, workspace_id, status)
       select gen_random_uuid(), workspace_id, 'finished' from email_configs where id = $1 and $4 returning id
     ), message as (
       insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context, created_at, campaign_id)
       select gen_random_uuid(), workspace_id, id, email_address, 'Hello', 'c', false, '{}', $2::timestamptz,
         (select id from campaign) from email_configs where id = $1
       returning id, workspace_id, config_id
     )
     insert into deliveries (month, workspace_id, message_id, config_id, recipient, state, created_at, settled_at)
     select date_trunc('month', now() at time zone 'utc')::date, workspace_id, id, config_id, 'a@example.com', state,
       $2::timestamptz, case when state in ('sent', 'failed') then $2::timestamptz end
     from message, unnest($3::text[]) state`,
    [user.mailboxId, at, states, isCampaign],
  )
}

const daysAgo = (days: number, time: string) =>
  `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T${time}Z`

describe('daily counts', () => {
  it('contain each of the last 30 days, those without mail as zeros', async () => {
    await arrange(daysAgo(3, '12:00:00'), ['sent', 'sent', 'failed'])
    await arrange(daysAgo(29, '12:00:00'), ['sent'], true)
    await arrange(daysAgo(33, '12:00:00'), ['sent'])
    const days = (await count()).body as DayCounts[]
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
    expect(days.filter(({ sent, failed, waiting }) => sent + failed + waiting > 0)).toMatchObject([
      { day: daysAgo(29, '').slice(0, 10), sent: 1, failed: 0, waiting: 0 },
      { day: daysAgo(3, '').slice(0, 10), sent: 2, failed: 1, waiting: 0 },
    ])
  })

  it('use the time zone of the caller', async () => {
    await arrange(daysAgo(3, '23:30:00'), ['sent'])
    const dayIn = async (timezone: string) =>
      ((await count(`?timezone=${encodeURIComponent(timezone)}`)).body as DayCounts[]).find(({ sent }) => sent > 0)?.day
    expect(await dayIn('UTC')).toBe(daysAgo(3, '').slice(0, 10))
    expect(await dayIn('Asia/Tokyo')).toBe(daysAgo(2, '').slice(0, 10))
  })

  it('are those of the own workspace only', async () => {
    await arrange(daysAgo(1, '12:00:00'), ['sent'])
    const other = await createUser(server)
    const days = (await count('', other.token)).body as DayCounts[]
    expect(days.every(({ sent }) => sent === 0)).toBe(true)
  })

  it.each([
    ['?timezone=Mars/Base', 'timezone'],
    ['?timezone=%2B02:00', 'timezone'],
    ['?days=0', 'days'],
    ['?days=91', 'days'],
  ])('%s returns 422', async (query, field) => {
    const answer = await count(query)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toEqual(['query', field])
  })
})

describe('a test mail', () => {
  it('TRIAL-77 does not change the sent count and is not among the last sends', async () => {
    const { token, secretKey, mailboxId } = user
    const mail = { subject: 'Try', content: '<p>Try</p>', recipient_list: ['me@example.com'] }
    const sent = async () => ((await count()).body as DayCounts[]).reduce((sum, day) => sum + day.sent, 0)
    const lastSends = async () => {
      const { body, headers } = await server.call('GET', '/email/messages', { token })
      return [(body as { id: string }[]).map(({ id }) => id), headers.get('x-total-count')]
    }
    const send = (body: object) => server.call('POST', `/email/send-mail/${secretKey}`, { token, body })
    const test = await send({ ...mail, is_test: true })
    const real = await send(mail)
    expect([test.status, real.status]).toEqual([200, 200])
    const campaign = { subject: 'News', body: '<p>News</p>', config_id: mailboxId }
    const { body: made } = await server.call('POST', '/email/campaign', { token, body: campaign })
    const testPath = `/email/campaign/${made.id as string}/test`
    const ofCampaign = await server.call('POST', testPath, { token, body: { recipient_list: ['me2@example.com'] } })
    const stateOf = async (id: string) =>
      (await server.call('GET', `/email/messages/${id}`, { token })).body.deliveries[0].state as string
    for (const { body } of [test, real, ofCampaign]) await expect.poll(() => stateOf(body.id as string)).toBe('sent')
    expect(await sent()).toBe(1)
    expect(await lastSends()).toEqual([[real.body.id], '1'])
  })

  it('is limited to ten recipients', async () => {
    const recipients = Array.from({ length: 11 }, (_, at) => `me${at}@example.com`)
    const { status, body } = await server.call('POST', `/email/send-mail/${user.secretKey}`, {
      token: user.token,
      body: { subject: 'Try', content: '<p>Try</p>', recipient_list: recipients, is_test: true },
    })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'is_test']])
  })
})

describe('the list of messages', () => {
  it('contains single sends, newest first, with the number of recipients by state', async () => {
    await arrange(daysAgo(2, '12:00:00'), ['sent', 'failed'])
    await arrange(daysAgo(1, '12:00:00'), ['sent', 'suppressed'])
    await arrange(daysAgo(1, '13:00:00'), ['sent'], true)
    const { body, headers } = await server.call('GET', '/email/messages?limit=1', { token: user.token })
    expect(headers.get('x-total-count')).toBe('2')
    expect(body).toMatchObject([
      { from: 'sandbox@localhost', subject: 'Hello', counts: { sent: 1, suppressed: 1, failed: 0 } },
    ])
    const other = await createUser(server)
    expect((await server.call('GET', '/email/messages', { token: other.token })).body).toEqual([])
  })
})
