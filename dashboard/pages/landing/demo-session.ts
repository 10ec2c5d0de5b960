import type { Session } from '../../../client/core/http.ts'
import type { Config } from '../../../contract/mail/config.ts'
import type { Accepted, DeliveryState, HtmlMail, Message } from '../../../contract/mail/message.ts'
import { demoAnswer, demoMailbox } from '../../content/demo.ts'

export const demoConfigId = 'demo'

/** How long the first recipient waits, and each next one, before it reads as sent. */
const stepMs = 700

const noCounts = { queued: 0, sending: 0, sent: 0, deferred: 0, failed: 0, suppressed: 0, cancelled: 0, unknown: 0 }

/** A session whose calls never leave the page: one mailbox, sends that are accepted, recipients reached one by one. */
export function createDemoSession(now: () => Date): Session {
  const startedAt = now()
  const config: Config = {
    id: demoConfigId,
    email_address: demoMailbox,
    provider: 'gmail',
    secret_key: 'demo',
    status: 'active',
    pause_reason: null,
    created_at: startedAt.toISOString(),
  }
  let sent: { mail: HtmlMail; at: Date } | null = null

  const accept = (mail: HtmlMail): Accepted => {
    sent = { mail, at: now() }
    return { message: demoAnswer, id: `demo-${sent.at.getTime()}`, accepted: mail.recipient_list.length, suppressed: 0 }
  }

  const answer = (method: string, path: string, body: string): unknown => {
    if (path.startsWith('/email/configs')) return [config]
    if (method === 'POST') return accept(JSON.parse(body) as HtmlMail)
    return null
  }

  /** Simulated progress of a send, one recipient at a time. */
  const events = (): Response => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const text = new TextEncoder()
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const tell = () => {
          if (sent === null) {
            controller.close()
            return
          }
          const message = standing(sent.mail, sent.at, now().getTime() - sent.at.getTime())
          controller.enqueue(text.encode(`event: progress\ndata: ${JSON.stringify(message)}\n\n`))
          if (message.counts.queued === 0) controller.close()
          else timer = setTimeout(tell, stepMs)
        }
        tell()
      },
      cancel: () => clearTimeout(timer),
    })
    return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  return {
    apiBase: '',
    token: () => null,
    shared: new Map(),
    transport: (url, { method, body }) =>
      Promise.resolve(url.endsWith('/events') ? events() : Response.json(answer(method, url, body ?? ''))),
  }
}

/** The delivery state of each recipient at a time after the launch. */
function standing({ recipient_list, subject, context }: HtmlMail, at: Date, passedMs: number): Message {
  const deliveries = recipient_list.map((recipient, index) => {
    const isSent = passedMs > (index + 1) * stepMs
    const state: DeliveryState = isSent ? 'sent' : 'queued'
    return {
      recipient,
      state,
      message_id: `<${index}@demo>`,
      attempts: isSent ? 1 : 0,
      reply: null,
      next_attempt_at: null,
      settled_at: null,
    }
  })
  const counts = { ...noCounts }
  for (const { state } of deliveries) counts[state] += 1
  const words = subject.replace(/\{\{\s*(\w+)\s*\}\}/g, (mark, name: string) => String(context?.[name] ?? mark))
  return { id: 'demo', from: demoMailbox, subject: words, created_at: at.toISOString(), counts, deliveries }
}
