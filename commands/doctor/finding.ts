/** What the doctor found: `ok` as it should be, `look` worth knowing, `mend` something does not work until it is mended. */
export interface Finding {
  state: 'ok' | 'look' | 'mend'
  /** What was looked at, in a word or two. */
  about: string
  /** What is the matter and what to do. */
  sentence: string
}

export const ok = (about: string, sentence: string): Finding => ({ state: 'ok', about, sentence })
export const look = (about: string, sentence: string): Finding => ({ state: 'look', about, sentence })
export const mend = (about: string, sentence: string): Finding => ({ state: 'mend', about, sentence })

/** A finding as a line. */
export function formatFinding({ state, about, sentence }: Finding): string {
  return `${state.padEnd(4)}  ${about.padEnd(9)}  ${sentence}`
}
