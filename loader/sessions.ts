import type { FreshSession, Host, Options } from './contract.ts'
import { askSite, createSession, type EmbedSession } from './session.ts'

/** Sessions of the page, by what they are asked for with: several widgets share one. */
const held = new Map<string, Held>()

interface Held extends EmbedSession {
  /** Places that wait for a sign-in show it there. */
  frames: Set<HTMLElement>
}

/** The page's session for one widget, until `close`. */
export function holdSession(
  host: Host,
  options: Options,
  frame: HTMLElement,
): Pick<EmbedSession, 'transport' | 'close'> {
  const { api = '', embed = '', 'token-url': tokenUrl = '' } = options
  const key = [api, embed, tokenUrl].join(' ')
  const session = held.get(key) ?? open()
  session.frames.add(frame)
  held.set(key, session)

  function open(): Held {
    const frames = new Set<HTMLElement>()
    const ask = async (): Promise<FreshSession> => {
      const own = host.fetchSession()
      if (own !== undefined) return own()
      if (tokenUrl) return await askSite(tokenUrl)
      const { signIn } = await import('./sign-in.ts')
      return signIn(frames, { api, embed }, host)
    }
    const opened = createSession(ask, (error) => {
      host.fire('auth-needed', { reason: 'refused' })
      host.fire('error', error)
    })
    opened.start()
    return { ...opened, frames }
  }

  return {
    transport(url, request) {
      // What everybody may read: the embed's own id opens it.
      if ('X-Api-Key' in (request.headers ?? {})) return fetch(url, request)
      if (request.method === 'POST' && url.includes('/email/send-mail/')) {
        const { recipient_list: recipients, subject } = JSON.parse(request.body as string) as Record<string, unknown>
        if (!host.fire('before-send', { recipients, subject }, true))
          return Promise.resolve(Response.json({ detail: 'This page held the message back.' }, { status: 409 }))
      }
      return session.transport(url, request)
    },
    close() {
      session.frames.delete(frame)
      if (session.frames.size > 0) return
      session.close()
      held.delete(key)
    },
  }
}
