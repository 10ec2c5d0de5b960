import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MessageProgress } from '../../../contract/mail/message.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, useServer } from '../../../tests/support/server.ts'

let user: TestUser
let other: TestUser
let count = 0

const server = await useServer()
beforeAll(async () => {
  other = await createUser(server)
})
beforeEach(async () => {
  user = await createUser(server)
})

const people = (many: number) => Array.from({ length: many }, () => `reader${++count}@example.com`)
const texts = { subject: 'Hello', content: '<p>Hi</p>' }
async function sent(recipients: string[]): Promise<string> {
  const body = { ...texts, recipient_list: recipients }
  const answer = await server.call('POST', `/email/send-mail/${user.secretKey}`, { token: user.token, body })
  return (answer.body as { id: string }).id
}
/** Sets a delivery to a state that the sandbox never produces. */
const arrange = (id: string, recipient: string, state: string) =>
  server.sql(
    `update deliveries set state = $3, reply = '550 5.1.1 No such user',
     settled_at = case when $3 = 'failed' then now() end, next_attempt_at = now() + interval '1 hour'
     where message_id = $1 and recipient = $2`,
    [id, recipient, state],
  )
const events = (id: string, { token } = user) =>
  fetch(`${server.url}/email/messages/${id}/events`, { headers: { authorization: `Bearer ${token}` } })
const retry = (id: string, { token } = user) => server.call('POST', `/email/messages/${id}/retry`, { token })

async function follow(response: Response, onEvent: (seen: MessageProgress[]) => Promise<void>) {
  const seen: MessageProgress[] = []
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text.slice(0, end).split('data: ')[1]
      text = text.slice(end + 2)
      if (data === undefined) continue
      seen.push(JSON.parse(data) as MessageProgress)
      await onEvent(seen)
    }
  }
  return seen
}

describe('the progress of a message', () => {
  it('is streamed as events, first with every recipient, then with changed ones, until all are settled', async () => {
    const [ann, ben] = people(2) as [string, string]
    const id = await sent([ann, ben])
    await arrange(id, ben, 'deferred')
    const seen = await follow(await events(id), async ({ length }) => {
      if (length === 1) await server.sql(`update deliveries set next_attempt_at = now() where message_id = $1`, [id])
    })
    expect(seen[0]!.deliveries.map(({ recipient, state }) => [recipient, state])).toEqual([
      [ann, 'sent'],
      [ben, 'deferred'],
    ])
    expect(seen[0]!.deliveries[1]!.next_attempt_at).not.toBeNull()
    expect(seen.at(-1)!.deliveries.map(({ recipient, state }) => [recipient, state])).toEqual([[ben, 'sent']])
    expect(seen.at(-1)!.counts).toMatchObject({ sent: 2, deferred: 0 })
  })

  it('is one event when all are settled', async () => {
    const id = await sent(people(1))
    expect(await follow(await events(id), () => Promise.resolve())).toHaveLength(1)
  })

  it('is readable in its workspace only', async () => {
    const id = await sent(people(1))
    expect((await events(id, other)).status).toBe(404)
    expect((await retry(id, other)).status).toBe(404)
    expect((await server.call('GET', `/email/messages/${id}/events`)).status).toBe(401)
    expect((await events('5f0c1d3e-0000-4000-8000-000000000000')).status).toBe(404)
  })

  it("does not delay the server's shutdown", async () => {
    const own = await startTestServer()
    const member = await createUser(own)
    const body = { ...texts, recipient_list: people(1) }
    const answer = await own.call('POST', `/email/send-mail/${member.secretKey}`, { token: member.token, body })
    const { id } = answer.body as { id: string }
    await own.sql(`update deliveries set state = 'deferred', next_attempt_at = now() + interval '1 hour'`)
    const response = await fetch(`${own.url}/email/messages/${id}/events`, {
      headers: { authorization: `Bearer ${member.token}` },
    })
    const ended = response.text()
    const startedMs = performance.now()
    await own[Symbol.asyncDispose]()
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    expect(await ended).toContain('event: progress')
  })
})

describe('a retry', () => {
  it('sends once more, and only to failed recipients', async () => {
    const [ann, ben] = people(2) as [string, string]
    const id = await sent([ann, ben])
    await server.mailsTo(ann)
    await server.mailsTo(ben)
    await arrange(id, ben, 'failed')
    const { status, body } = await retry(id)
    expect([status, body.resent]).toEqual([200, 1])
    expect(await server.mailsTo(ben, 2)).toHaveLength(2)
    expect(await server.mailsTo(ann)).toHaveLength(1)
    expect((await retry(id)).body.resent).toBe(0)
  })

  it('skips recipients suppressed meanwhile, reports them, and reaches them after their removal from the list', async () => {
    const [ann, ben] = people(2) as [string, string]
    const id = await sent([ann, ben])
    await server.mailsTo(ann)
    await server.mailsTo(ben)
    await server.sql(`update deliveries set state = 'failed' where message_id = $1`, [id])
    const { token } = user
    await server.call('POST', '/email/suppressions', { token, body: { emails: [ben.toUpperCase()] } })
    expect((await retry(id)).body).toEqual({
      message: '1 of 2 is on your suppression list; 1 recipient is sent to again.',
      resent: 1,
      suppressed: 1,
    })
    expect(await server.mailsTo(ann, 2)).toHaveLength(2)
    expect((await retry(id)).body.message).toBe('The address is on your suppression list; nothing is sent again.')
    expect(await server.mailsTo(ben)).toHaveLength(1)
    const [entry] = (await server.call('GET', `/email/suppressions?email=${ben}`, { token })).body as { id: string }[]
    await server.call('DELETE', `/email/suppressions/${entry?.id}`, { token })
    expect((await retry(id)).body).toMatchObject({ resent: 1, suppressed: 0 })
    expect(await server.mailsTo(ben, 2)).toHaveLength(2)
  })
})

describe('the recipients of a campaign', () => {
  it('are listed by pages, and by state, with the mail server’s reply', async () => {
    const [ann, ben, cleo] = people(3) as [string, string, string]
    const made = await server.call('POST', '/email/campaign', {
      token: user.token,
      body: { subject: 'Hello', body: '<p>Hi</p>', config_id: user.mailboxId, recipients: [ann, ben, cleo] },
    })
    const { id } = made.body as { id: string }
    await server.sql(`update deliveries set state = 'failed', reply = '550 No' where recipient = $1`, [ben])
    const list = (query = '', { token } = user) =>
      server.call('GET', `/email/campaign/${id}/recipients${query}`, { token })
    const all = await list()
    expect(all.body.map(({ recipient }: { recipient: string }) => recipient)).toEqual([ann, ben, cleo])
    expect(all.headers.get('x-total-count')).toBe('3')
    const failed = await list('?state=failed')
    expect(failed.body).toMatchObject([{ recipient: ben, state: 'failed', reply: '550 No', next_attempt_at: null }])
    expect(failed.headers.get('x-total-count')).toBe('1')
    expect((await list('?limit=1&offset=2')).body[0].recipient).toBe(cleo)
    expect((await list('?state=lost')).status).toBe(422)
    expect((await list('', other)).status).toBe(404)
  })
})
