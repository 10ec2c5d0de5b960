/**
 * A PostgreSQL array of values that need no quotes: numbers, uuids, dates, hexadecimal text. The driver quotes every value of
 * an array, which takes several times as long.
 */
export function plainArray(values: readonly (string | number | null)[]): string {
  let text = '{'
  let separator = ''
  for (const value of values) {
    text += `${separator}${value ?? 'NULL'}`
    separator = ','
  }
  return `${text}}`
}

/** A PostgreSQL array of any text. */
export const textArray = (values: readonly (string | null)[]): string =>
  plainArray(values.map((value) => (value === null ? null : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`)))

/** A PostgreSQL array of bytes. */
export const bytesArray = (values: readonly Buffer[]): string =>
  plainArray(values.map((value) => String.raw`"\\x${value.toString('hex')}"`))
