import { serverMessages } from '../../../contract/core/server-messages.ts'
import type { Provider } from '../../../contract/mail/config.limits.ts'

/** What is wrong with an app password, with the sentence shown for it. */
export const appPasswordProblems = {
  empty: 'App password is required',
  control: serverMessages.app_password_control,
} as const

export type AppPassword = { ok: true; value: string } | { ok: false; problem: keyof typeof appPasswordProblems }

/** Providers that show an app password in groups of four; the blanks are not part of it. */
const shownInGroups: ReadonlySet<Provider> = new Set(['gmail', 'yahoo'])

/** Reads an app password as it was pasted: control characters are refused, blanks of a provider's grouping dropped. */
export function readAppPassword(provider: Provider, text: string): AppPassword {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return { ok: false, problem: 'control' }
  const value = shownInGroups.has(provider) ? text.replace(/\s+/gu, '') : text
  return value.trim() === '' ? { ok: false, problem: 'empty' } : { ok: true, value }
}
