/** An address that its owner recognizes; a reader of a forwarded mail does not learn it. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${String.fromCodePoint(address.codePointAt(0) ?? 0x2022)}•••${address.slice(at)}`
}
