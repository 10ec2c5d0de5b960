import type { Logger } from 'pino'
import type { NoteSecurityEvent, SecurityEventName } from './domain/core/security-event.ts'

/** Rare and important: these are logged at the level of warnings. */
const grave: ReadonlySet<SecurityEventName> = new Set(['sign_in_locked', 'sealing_key_rotated'])

/** Writes each security event as one log line: its name as `security_event`, and ids. */
export function createSecurityLog(log: Pick<Logger, 'info' | 'warn'>): NoteSecurityEvent {
  return (name, facts = {}) => {
    const line = { security_event: name, ...facts }
    if (grave.has(name)) log.warn(line, 'security event')
    else log.info(line, 'security event')
  }
}
