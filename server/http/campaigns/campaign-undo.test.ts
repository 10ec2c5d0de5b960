import { beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { sampleDesign } from '../../../tests/support/design-samples.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
})

const wait = { interval: 50 }
let personCount = 0
const someone = () => `undone${++personCount}@example.com`
const call = (method: string, path: string, body?: object) =>
  server.call(method, `/email/campaign/${path}`, { token: user.token, body })
const get = async (id: string) => (await call('GET', id)).body as Campaign
const created = async (changes: object = {}) => {
  const body = { subject: 'Before', body: '<p>Before</p>', config_id: user.mailboxId, ...changes }
  return (await server.call('POST', '/email/campaign', { token: user.token, body })).body as Campaign
}
const receivedBy = async (address: string) =>
  (await server.call('GET', `/sandbox/messages?to=${encodeURIComponent(address)}`)).body as { html: string }[]
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

describe('undo of a launch', () => {
  it('UNDO-09 sets the campaign back to draft; until the time has passed it is not preparing, and no mail has left', async () => {
    const recipient = someone()
    const { id } = await created({ recipients: [recipient] })
    const { body: launched } = await call('POST', `${id}/launch`, { undo_seconds: 30 })
    expect(launched).toMatchObject({ status: 'scheduled', started_at: null })
    expect(Date.parse(launched.undo_until as string)).toBeGreaterThan(Date.now() + 20_000)
    expect((await call('POST', `${id}/undo`)).body).toMatchObject({
      status: 'draft',
      scheduled_at: null,
      undo_until: null,
    })
    // Past the time to undo, the scheduler finds nothing to start.
    await server.sql("update campaigns set undo_until = now() - interval '1 second' where id = $1", [id])
    const other = await created({ recipients: [someone()] })
    await call('POST', `${other.id}/launch`, {})
    await expect.poll(async () => (await get(other.id)).status, wait).toBe('finished')
    expect([(await get(id)).status, await receivedBy(recipient)]).toEqual(['draft', []])
  })

  it('is too late after the window, in which nothing has left', async () => {
    const recipient = someone()
    const { id } = await created({ recipients: [recipient] })
    await call('POST', `${id}/launch`, { undo_seconds: 1 })
    await expect.poll(async () => (await get(id)).status, wait).toBe('finished')
    expect(await call('POST', `${id}/undo`)).toMatchObject({ status: 409 })
    expect(await receivedBy(recipient)).toHaveLength(1)
  })

  it('keeps the later time of a campaign that was launched for then', async () => {
    const at = inSeconds(3600)
    const { id } = await created({ recipients: [someone()] })
    await call('POST', `${id}/launch`, { undo_seconds: 30, scheduled_at: at })
    expect((await call('POST', `${id}/undo`)).body).toMatchObject({ status: 'draft', scheduled_at: at })
  })
})

describe('a launch', () => {
  it('BULKRULES-08 answers 422 postal_address_missing without a postal address', async () => {
    await server.sql(
      'update workspaces set postal_address = null where id = (select workspace_id from email_configs where id = $1)',
      [user.mailboxId],
    )
    const { id } = await created({ recipients: [someone()] })
    expect(await call('POST', `${id}/launch`, {})).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'postal_address_missing' }] },
    })
  })

  it('is estimated without a campaign, with the reasons that would refuse it', async () => {
    const recipients = [someone(), someone(), 'no address']
    await server.call('POST', '/email/suppressions', { token: user.token, body: { emails: [recipients[1]] } })
    const { body } = await call('POST', 'estimate', { config_ids: [user.mailboxId], recipients })
    expect(body).toMatchObject({ count: 1, suppressed: 1, problems: [] })
    expect(Date.parse(body.finishes_at as string)).toBeGreaterThan(Date.now() - 60_000)
    await server.sql("update email_configs set status = 'paused', pause_reason = 'Wrong password.' where id = $1", [
      user.mailboxId,
    ])
    const { body: refused } = await call('POST', 'estimate', { config_ids: [user.mailboxId], recipients: [] })
    expect((refused.problems as { code: string }[]).map(({ code }) => code)).toEqual([
      'mailbox_paused',
      'campaign_empty',
    ])
    expect((await server.call('GET', '/email/campaign', { token: user.token })).body).toEqual([])
  })
})

describe('changes before a campaign leaves', () => {
  it('SCHEDULING-12 CLAIMS-18 a scheduled campaign can be moved and leaves at the new time only', async () => {
    const recipient = someone()
    const { id } = await created({ recipients: [recipient] })
    await call('POST', `${id}/launch`, { scheduled_at: inSeconds(2) })
    await call('PATCH', id, { scheduled_at: inSeconds(3600) })
    const other = await created({ recipients: [someone()] })
    await call('POST', `${other.id}/launch`, { scheduled_at: inSeconds(3) })
    await expect.poll(async () => (await get(other.id)).status, wait).toBe('finished')
    expect([(await get(id)).status, await receivedBy(recipient)]).toEqual(['scheduled', []])
    await call('PATCH', id, { scheduled_at: inSeconds(1) })
    await expect.poll(async () => (await receivedBy(recipient)).length, wait).toBe(1)
  })

  it('SCHEDULING-13 duplicating makes a draft with the same message and audience that changes without the first', async () => {
    const { body: list } = await server.call('POST', '/email/lists', { token: user.token, body: { name: 'Guests' } })
    const [first, second] = [someone(), someone()]
    const recipients = [first, { email: second, context: { name: 'Ada' } }]
    const { id } = await created({
      name: 'Autumn',
      recipients,
      list_ids: [list.id],
      preheader: 'Soon',
      reply_to: 'a@example.com',
    })
    const { status, body: copy } = await call('POST', `${id}/duplicate`)
    expect([status, copy]).toMatchObject([
      201,
      {
        name: 'Autumn (copy)',
        status: 'draft',
        subject: 'Before',
        body: '<p>Before</p>',
        preheader: 'Soon',
        list_ids: [list.id],
      },
    ])
    expect((copy.counts as { total: number }).total).toBe(2)
    const rows = await server.sql(
      "select recipient, context->>'name' as name from deliveries where campaign_id = $1 order by id",
      [copy.id],
    )
    expect(rows).toEqual([
      { recipient: first, name: null },
      { recipient: second, name: 'Ada' },
    ])
    await call('PATCH', copy.id as string, { subject: 'Other' })
    expect((await get(id)).subject).toBe('Before')
  })

  it('SCHEDULING-14 PATCH of a campaign that is being sent answers 409 campaign_state', async () => {
    const { id } = await created({ recipients: [someone()] })
    await server.sql("update campaigns set status = 'sending' where id = $1", [id])
    expect(await call('PATCH', id, { subject: 'New' })).toMatchObject({
      status: 409,
      body: { detail: 'The campaign is being sent; it cannot be changed, except its name.' },
    })
  })

  it('SCHEDULING-15 PATCH with an outdated `revision` answers 409 revision_conflict and changes nothing', async () => {
    const { id, revision } = await created({ name: 'One' })
    expect((await call('PATCH', id, { subject: 'Second', revision })).status).toBe(200)
    for (const change of [{ subject: 'Third' }, { name: 'Two' }]) {
      expect(await call('PATCH', id, { ...change, revision })).toMatchObject({
        status: 409,
        body: { revision: revision + 1 },
      })
    }
    expect(await get(id)).toMatchObject({ subject: 'Second', name: 'One', revision: revision + 1 })
  })
})

describe('a campaign with a design', () => {
  it('is rendered by the server, its text part too, with footer, preheader and header fields', async () => {
    const recipient = someone()
    const design = sampleDesign()
    const made = await created({
      body: undefined,
      design,
      preheader: 'Two places',
      from_name: 'Studio',
      recipients: [recipient],
    })
    expect(made).toMatchObject({ mode: design.layout === 'letter' ? 'text' : 'design', preheader: 'Two places' })
    await call('POST', `${made.id}/launch`, {})
    const [mail] = await server.mailsTo(recipient)
    expect(mail?.html).toContain('Two places')
    expect(mail?.html).toContain('1 Main Street')
    expect(mail?.text).toContain('1 Main Street')
    expect(mail?.text).toMatch(/Unsubscribe <http/)
  })

  it('takes a design or a body, not both', async () => {
    const body = { subject: 'S', body: '<p>x</p>', design: sampleDesign(), config_id: user.mailboxId }
    expect((await server.call('POST', '/email/campaign', { token: user.token, body })).status).toBe(422)
  })
})
