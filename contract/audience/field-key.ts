/** A field key from a name: its letters and digits without accents, joined by `_`; numbered where it is taken. */
export function freeFieldKey(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 80)
    .replace(/^_/, '')
    .replace(/_$/, '')
  const key = /^[a-z]/.test(plain) ? plain : `field_${plain}`.replace(/_$/, '')
  for (let no = 2, candidate = key; ; no += 1) {
    if (!taken.has(candidate)) return candidate
    candidate = `${key}_${no}`
  }
}
