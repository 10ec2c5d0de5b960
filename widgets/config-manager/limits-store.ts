import { proxy } from 'valtio/vanilla'
import { updateEmailConfig } from '../../client/mail/config-owner.ts'
import { errorText, type Session } from '../../client/core/http.ts'
import type { ConfigUsage, MailboxLimits } from '../../contract/mail/config.ts'
import { mailboxConnectionsMaxCount } from '../../contract/mail/config.limits.ts'
import { countNeeded } from '../lib/config-messages.ts'
import type { Message } from '../lib/messages/message.ts'

export type LimitName = keyof MailboxLimits

/** The highest that may be set: what the server takes. */
const maxima: Record<LimitName, number> = {
  limit_per_minute: 2_147_483_647,
  limit_per_day: 2_147_483_647,
  limit_connections: mailboxConnectionsMaxCount,
}
const names = Object.keys(maxima) as LimitName[]

/** State of the form's view; an empty field means the provider's limit. */
export interface LimitsState {
  status: 'idle' | 'saving' | 'failed'
  form: Record<LimitName, string>
  /** How often it was submitted; what is wrong shows from the first time on. */
  triedCount: number
  error: string | null
}

/** State and actions of one form of limits. */
export function createLimitsStore({ session, usage }: { session: Session; usage: ConfigUsage }) {
  const own = usage.own_limits
  const state = proxy<LimitsState>({
    status: 'idle',
    form: mapLimits((name) => String(own?.[name] ?? '')),
    triedCount: 0,
    error: null,
  })

  return {
    state,
    write(name: LimitName, text: string) {
      state.form[name] = text
      if (state.status === 'failed') state.status = 'idle'
    },
    /** Sets nothing in place of what is known of the provider. */
    reset() {
      state.form = mapLimits(() => '')
    },
    /** Saves them; returns whether it succeeded. Input is kept after a failure. */
    async save(): Promise<boolean> {
      if (state.status === 'saving') return false
      state.triedCount += 1
      if (names.some((name) => problemOf(name, state.form[name]) !== null)) return false
      state.status = 'saving'
      const limits = mapLimits((name) => readCount(state.form[name]))
      try {
        await updateEmailConfig(session, usage.id, limits)
        state.status = 'idle'
        return true
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
        return false
      }
    },
  }
}

/** How to correct a field; null for a valid value. */
export function problemOf(name: LimitName, text: string): Message | null {
  const count = readCount(text)
  const isRight = count === null || (Number.isInteger(count) && count >= 1 && count <= maxima[name])
  return isRight ? null : { text: countNeeded, values: { most: maxima[name] } }
}

/** People group digits with blanks, commas, dots and apostrophes; NaN for what is no number. */
function readCount(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[\s.,'’](?=\d{3}(?!\d))/gu, '')
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN
}

/** Whether more is allowed than the provider is known to take. */
export function isAbove(text: string, known: number | null): boolean {
  return known !== null && (readCount(text) ?? 0) > known
}

function mapLimits<T>(give: (name: LimitName) => T): Record<LimitName, T> {
  return {
    limit_per_minute: give('limit_per_minute'),
    limit_per_day: give('limit_per_day'),
    limit_connections: give('limit_connections'),
  }
}
