/** What is wrong with an entry that is not one address, each with the sentence shown beside it. */
export const addressProblems = {
  empty: 'is empty; enter one email address',
  control: 'contains a line break or a control character; remove it',
  too_long: 'is too long; an address has at most 64 characters before the @ and 254 in all',
  several: 'contains more than one address; add each as a separate entry',
  decorated: 'contains more than an address; remove names, quotes, comments and angle brackets',
  no_at: 'has no @; write it as name@example.com',
  local: 'has something before the @ that no mail server accepts',
  domain: 'has no valid domain after the @; write it as name@example.com',
  lookalike: 'mixes alphabets to look like another domain; check its spelling',
} as const

export type AddressProblem = keyof typeof addressProblems

export type ParsedAddress = { ok: true; address: string; key: string } | { ok: false; problem: AddressProblem }

/** As nearly all addresses are written: nothing about one needs a second look. */
const plain = /^(?!.*xn--)(?=.{6,64}$)[a-z0-9]+([.+_-][a-z0-9]+)*@([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,24}$/
const localMaxBytes = 64
const addressMaxBytes = 254
const atom = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+$/u
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Cyrillic and Greek letters that read as Latin ones: a label of nothing else imitates a Latin name. */
const latinLookalikes = /^[аеорсухіјѕһӏҽԁԛԝѵɡαορνικυτχωη0-9-]+$/u
const scripts = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  other: /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]/u,
}

/**
 * Reads exactly one addr-spec (RFC 5321 §4.1.2, without quoted local parts, comments, routes and address literals:
 * each of them lets one entry reach somebody else). Surrounding blanks are dropped.
 * `address` is what goes on the envelope, its domain in lower-case ASCII; `key` is equal for two spellings of one mailbox.
 */
export function parseAddress(text: string): ParsedAddress {
  if (plain.test(text)) return { ok: true, address: text, key: text }
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, problem: 'empty' }
  if (control.test(trimmed)) return { ok: false, problem: 'control' }
  if (/[,;]/.test(trimmed)) return { ok: false, problem: 'several' }
  // Before anything that takes more than one look at each character.
  if (trimmed.length > 2 * addressMaxBytes) return { ok: false, problem: 'too_long' }
  if (/[\s<]/.test(trimmed.slice(trimmed.indexOf('@'), trimmed.lastIndexOf('@'))))
    return { ok: false, problem: 'several' }
  if (/[\s<>()"[\]\\:]/.test(trimmed) || trimmed.startsWith('@')) return { ok: false, problem: 'decorated' }

  const at = trimmed.lastIndexOf('@')
  if (at < 0) return { ok: false, problem: 'no_at' }
  const local = trimmed.slice(0, at).normalize('NFC')
  if (byteLength(local) > localMaxBytes) return { ok: false, problem: 'too_long' }
  // A leading hyphen reads as an option where an address ends up on a command line.
  if (local.startsWith('-') || !local.split('.').every((part) => atom.test(part)))
    return { ok: false, problem: 'local' }

  const domain = readDomain(trimmed.slice(at + 1))
  if (typeof domain !== 'object') return { ok: false, problem: domain }
  const address = `${local}@${domain.ascii}`
  if (byteLength(address) > addressMaxBytes) return { ok: false, problem: 'too_long' }
  return { ok: true, address, key: address.toLowerCase() }
}

function readDomain(text: string): { ascii: string } | 'domain' | 'lookalike' {
  if (/[/?#@%\\]/.test(text)) return 'domain'
  let ascii: string
  try {
    ascii = new URL(`http://${text.normalize('NFC')}`).hostname
  } catch {
    return 'domain' // The URL parser refuses what IDNA refuses.
  }
  const labels = ascii.split('.')
  const named = ascii === 'localhost' || labels.length > 1
  // A number at the end makes the URL parser read an IPv4 address, which is no domain.
  if (!named || /^\d+$/.test(labels.at(-1) ?? '') || !labels.every((part) => label.test(part))) return 'domain'
  const shown = text.toLowerCase().normalize('NFC').split('.')
  // Under a top-level name of its own script a name of such letters is a word, not a disguise.
  const isUnderLatin = scripts.latin.test(shown.at(-1) ?? '')
  return shown.some((part) => mixesScripts(part) || (isUnderLatin && imitatesLatin(part))) ? 'lookalike' : { ascii }
}

function mixesScripts(text: string): boolean {
  const found = Object.values(scripts).filter((script) => script.test(text)).length
  // Japanese, Chinese and Korean names mix scripts, Latin among them, by custom; the risk is in Latin's near relatives.
  return found > 1 && (scripts.cyrillic.test(text) || scripts.greek.test(text))
}

function imitatesLatin(text: string): boolean {
  return !scripts.latin.test(text) && /[^0-9-]/.test(text) && latinLookalikes.test(text)
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
