/** What a link may lead to. A variable alone is filled with an address. */
const allowed = /^(?:https?:\/\/\S|mailto:\S|tel:\S|\{\{)/i

/** A typed address with its scheme; null for one that a mail may not carry. */
export function readAddress(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text.replace(/\{\{[^{}]*\}\}/g, ''))) return null
  if (allowed.test(text)) return text
  if (/^[^\s@:/]+@[^\s@:/.]+(?:\.[^\s@:/.]+)+$/.test(text)) return `mailto:${text}`
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:].*)?$/u.test(text) && !/^[a-z.-]+:\D/i.test(text)
    ? `https://${text}`
    : null
}
