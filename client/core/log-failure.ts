import type { ApiError } from './http.ts'

/**
 * Writes to the console that an act failed: what was done, and the status. Nothing of the call itself, whose address,
 * headers and body can hold a token, a key or a password; the person reads the answer's sentence on the screen.
 */
export function logFailure(what: string, error: unknown): void {
  const { status, name } = error as Partial<ApiError>
  const reason = status === 0 ? 'no answer' : status === undefined ? name : `HTTP ${status}`
  // oxlint-disable-next-line no-console -- the one place; the specification wants a failed delete in the console (§8)
  console.error(`Sendwright: ${what} failed (${reason})`)
}
