import { expect, it } from 'vitest'
import type { ReplyCounts } from '../../../contract/inbox/reply.ts'
import { answerTo, receive, repliesOf, sendTo, startReading } from '../../../tests/support/reading.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

const path = '/email/replies/unread/events'

/** Follows the numbers of replies to read; `seen` grows with each event. */
async function watch(token: string) {
  const stopping = new AbortController()
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: stopping.signal,
  })
  const seen: number[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data !== undefined) seen.push((JSON.parse(data) as ReplyCounts).unread_count)
      }
    }
  }
  const ended = read().catch(() => undefined) // The test ends it.
  return {
    type: response.headers.get('content-type'),
    seen,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

it('the number of replies to read is streamed: it rises with a reply and falls when one is read, in its workspace only', async () => {
  const user = await startReading(server)
  const other = await startReading(server)
  const recipient = `ines.${user.mailboxId.slice(-6)}@example.com`
  const mail = await sendTo(server, user, recipient)
  const [own, foreign] = [await watch(user.token), await watch(other.token)]
  expect(own.type).toContain('text/event-stream')
  await expect.poll(() => [own.seen, foreign.seen]).toEqual([[0], [0]])
  receive(server, { from: recipient, subject: 'Re: Doors open', headers: answerTo(mail) })
  await expect.poll(() => own.seen.at(-1)).toBe(1)
  const [reply] = await repliesOf(server, user.token, 1)
  await server.call('PATCH', `/email/replies/${reply!.id}`, { token: user.token, body: { is_read: true } })
  await expect.poll(() => own.seen.at(-1)).toBe(0)
  expect(foreign.seen).toEqual([0])
  await Promise.all([own.stop(), foreign.stop()])
})

it('the stream of replies to read requires a signed-in member', async () => {
  expect((await server.call('GET', path)).status).toBe(401)
})
