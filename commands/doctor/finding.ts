/** What the doctor found: `ok` as it should be, `warn` worth knowing, `fail` something does not work until it is mended. */
export interface Finding {
  state: 'ok' | 'warn' | 'fail'
  /** What was looked at, in a word or two. */
  subject: string
  /** What is the matter and what to do. */
  message: string
}

export const ok = (subject: string, message: string): Finding => ({ state: 'ok', subject, message })
export const warn = (subject: string, message: string): Finding => ({ state: 'warn', subject, message })
export const fail = (subject: string, message: string): Finding => ({ state: 'fail', subject, message })

/** A finding as a line. */
export function formatFinding({ state, subject, message }: Finding): string {
  return `${state.padEnd(4)}  ${subject.padEnd(9)}  ${message}`
}
