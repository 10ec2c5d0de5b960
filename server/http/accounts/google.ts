import type { createFinishGoogleSignIn } from '../../usecases/accounts/finish-google-sign-in.ts'
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import * as contract from '../../../contract/account/google.ts'
import { isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import { googleSentences, type GoogleFailure, type GoogleTry } from '../../domain/accounts/google.ts'
import type { AddRoute } from '../core/route.ts'
import { isLoopbackRequest } from '../core/loopback-request.ts'
import type { SignInCookies } from './sign-in-cookies.ts'

/** The use cases of Google sign-in. */
export interface GoogleUseCases {
  startGoogleSignIn: () => Promise<{ url: URL; started: GoogleTry } | { failure: GoogleFailure }>
  finishGoogleSignIn: ReturnType<typeof createFinishGoogleSignIn>
}

/**
 * Google sign-in by redirects. Every answer redirects the browser to /login, with a one-time token or an error sentence.
 * URLs are built from PUBLIC_URL, never from the request.
 */
export function addGoogleRoutes(
  add: AddRoute,
  useCases: GoogleUseCases,
  cookies: SignInCookies,
  { publicUrl, log, isForLoopbackOnly }: { publicUrl: string; log: FastifyBaseLogger; isForLoopbackOnly: boolean },
): void {
  const lead = (reply: FastifyReply, url: string) => {
    void reply.headers({
      location: url,
      // A window that a page opened to be allowed passes here, and must not be cut off from it.
      'cross-origin-opener-policy': 'unsafe-none',
    })
    return null
  }
  const leadToLogin = (reply: FastifyReply, query: { token: string } | { error: string }) =>
    lead(reply, `${publicUrl}/login?${new URLSearchParams(query).toString()}`)

  add(contract.startGoogleSignIn, async ({ request, reply }) => {
    if (isForLoopbackOnly && !isLoopbackRequest(request))
      return leadToLogin(reply, { error: googleSentences.not_set_up })
    const start = await useCases.startGoogleSignIn()
    if ('failure' in start) return leadToLogin(reply, { error: googleSentences[start.failure] })
    cookies.google.set(reply, start.started)
    return lead(reply, start.url.href)
  })

  add(contract.finishGoogleSignIn, async ({ request, reply }) => {
    cookies.google.clear(reply)
    const search = new URL(request.url, publicUrl).search
    const end = await useCases.finishGoogleSignIn(search, cookies.google.read(request)).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'finishGoogleSignIn')
      return { outcome: 'refused' } as const // There is a person at the other end, and no page for JSON.
    })
    if (end.outcome === 'password_first') cookies.pendingLink.set(reply, end.link)
    if (end.outcome !== 'signed_in') return leadToLogin(reply, { error: googleSentences[end.outcome] })
    cookies.signInBrowser.set(reply, end.browserToken)
    return leadToLogin(reply, { token: end.code })
  })
}
