import { ApiError } from '../../client/core/http.ts'
import { exchangeEmbedCode } from '../../client/embed/embed-session.ts'
import type { FreshSession, Host } from '../contract.ts'
import { offerOnce } from './single-sign-in-bar.ts'
import { SessionRefused } from './session.ts'
import { showSignIn } from './sign-in-bar.tsx'
import type { Language } from '../../widgets/lib/messages/messages.ts'

/** Where a person signs in, and for which embed. */
interface Where {
  api: string
  embed: string
}

const popupFeatures = 'popup,width=480,height=680'
/** Poll interval of the popup: there is no event for the close of another window. */
const lookMs = 500

/** A sign-in that the person is asked for. */
interface AskedSignIn {
  /** Shows the offer in a place, unless another has it; returns the undo. Widgets come to a page and leave it one by one. */
  offer: (frame: HTMLElement) => () => void
  /** The session, once they have signed in through the popup; they may close that and begin again. */
  done: Promise<FreshSession>
}

/** Asks the person to sign in, in one of the places that it is offered to. */
export function signIn(where: Where, host: Host, language: Language): AskedSignIn {
  host.fire('auth-needed', { reason: 'sign-in' })
  const { promise: done, resolve } = Promise.withResolvers<FreshSession>()
  const begin = async () => resolve(await throughPopup(where))
  return { offer: (frame) => offerOnce(frame, () => showSignIn(frame, begin, language)), done }
}

/** One way through the popup. Throws SessionRefused with what to do. */
async function throughPopup({ api, embed }: Where): Promise<FreshSession> {
  // First of all: some browsers open a window only in the very moment of the press.
  const popup = window.open('about:blank', '_blank', popupFeatures)
  if (popup === null)
    throw new SessionRefused('The browser has blocked the sign-in window. Allow pop-ups for this site and try again.')
  const verifier = randomText()
  const state = randomText()
  const challenge = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  const query = new URLSearchParams({
    embed,
    origin: location.origin,
    state,
    code_challenge: base64url(challenge),
    code_challenge_method: 'S256',
  })
  popup.location.replace(`${api}/embed/authorize?${query.toString()}`)
  const code = await codeFrom(popup, new URL(api).origin, state)
  try {
    const session = { apiBase: api, token: () => null, shared: new Map<string, object>() }
    return await exchangeEmbedCode(session, { embed_id: embed, code, code_verifier: verifier })
  } catch (error) {
    const sentence = error instanceof ApiError ? error.sentence : null
    throw new SessionRefused(sentence ?? 'The sign-in could not be completed. Check the connection.')
  }
}

/** Waits for the one message that is meant for us; every other is ignored (H50). */
function codeFrom(popup: Window, origin: string, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController()
    const end = () => {
      ending.abort()
      clearInterval(timer)
    }
    window.addEventListener(
      'message',
      ({ origin: from, source, data }: MessageEvent<{ type?: unknown; code?: unknown; state?: unknown } | null>) => {
        if (from !== origin || source !== popup || data?.type !== 'sendwright:consent' || data.state !== state) return
        end()
        if (typeof data.code === 'string') resolve(data.code)
        else reject(new SessionRefused('You did not allow this page to use your mailbox.'))
      },
      ending,
    )
    const timer = setInterval(() => {
      if (!popup.closed) return
      end()
      // A page whose Cross-Origin-Opener-Policy is same-origin loses the popup at once: it looks closed from the start.
      reject(
        new SessionRefused(
          'The sign-in window was closed or isolated. If it is still open, the owner of this site must send the header Cross-Origin-Opener-Policy: same-origin-allow-popups.',
        ),
      )
    }, lookMs)
  })
}

/** 256 random bits. */
function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
