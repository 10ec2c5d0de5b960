/** A finding of the doctor. `ok`: no problem. `warn`: worth knowing. `fail`: something does not work until it is fixed. */
export interface Finding {
  state: 'ok' | 'warn' | 'fail'
  /** What was checked, in a word or two. */
  subject: string
  /** The result and what to do. */
  message: string
}

export const ok = (subject: string, message: string): Finding => ({ state: 'ok', subject, message })
export const warn = (subject: string, message: string): Finding => ({ state: 'warn', subject, message })
export const fail = (subject: string, message: string): Finding => ({ state: 'fail', subject, message })

/** Formats a finding as one line. */
export function formatFinding({ state, subject, message }: Finding): string {
  return `${state.padEnd(4)}  ${subject.padEnd(9)}  ${message}`
}
