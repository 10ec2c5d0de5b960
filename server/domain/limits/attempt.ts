import { isIPv4, isIPv6 } from 'node:net'

/** What is counted: each kind has its own limit. */
export type AttemptKind =
  | 'sign-in-address'
  | 'sign-in-network'
  | 'sign-in-device'
  | 'sign-in-proof'
  | 'sign-up-network'
  | 'account-mail'
  | 'reset-network'
  | 'password-check'
  | 'mailbox-workspace'
  | 'mailbox-address'
  | 'mail-server-discovery'
  | 'hosted-sign-in'
  | 'hosted-sign-in-account'
  | 'hosted-sign-in-network'
  | 'hosted-sign-up'
  | 'hosted-sign-up-taken'
  | 'hosted-password-check'

/** How many of a kind may happen within a time. */
export interface AttemptLimit {
  count: number
  windowMs: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Limits of security.md, Hostile inputs, H03, H07 and H25, and of mails that sign-up sends (H06). For mailboxes, failed
 * logins count per workspace and per address.
 */
export const attemptLimits: Readonly<Record<AttemptKind, AttemptLimit>> = {
  'sign-in-address': { count: 5, windowMs: 15 * minuteMs },
  'sign-in-network': { count: 50, windowMs: 15 * minuteMs },
  'sign-in-device': { count: 5, windowMs: 15 * minuteMs },
  // A solved proof of work permits one attempt; the window is longer than its lifetime.
  'sign-in-proof': { count: 1, windowMs: hourMs },
  'sign-up-network': { count: 100, windowMs: hourMs },
  'account-mail': { count: 3, windowMs: hourMs },
  'reset-network': { count: 10, windowMs: hourMs },
  'password-check': { count: 5, windowMs: 15 * minuteMs },
  'mailbox-workspace': { count: 20, windowMs: 15 * minuteMs },
  'mailbox-address': { count: 20, windowMs: hourMs },
  // Each discovery makes requests to a domain that the caller chooses.
  'mail-server-discovery': { count: 60, windowMs: 15 * minuteMs },
  // Per address and network, per address, per network.
  'hosted-sign-in': { count: 10, windowMs: 15 * minuteMs },
  'hosted-sign-in-account': { count: 100, windowMs: 15 * minuteMs },
  'hosted-sign-in-network': { count: 300, windowMs: 15 * minuteMs },
  'hosted-sign-up': { count: 60, windowMs: hourMs },
  // Sign-ups with an address that has a user; beyond the limit all sign-ups of the network are refused.
  'hosted-sign-up-taken': { count: 10, windowMs: hourMs },
  'hosted-password-check': { count: 5, windowMs: 15 * minuteMs },
}

/** An attempt that was counted, or how long to wait before the next. */
export type Taken = { ok: true; id: number } | { ok: false; retryAfterMs: number }

/** Counts attempts. */
export interface Attempts {
  /** Counts one, unless the limit is reached. Two at the same moment are counted one after the other. */
  take: (kind: AttemptKind, subject: string) => Promise<Taken>
  /** Takes one back: it was none of those that are limited. */
  giveBack: (id: number) => Promise<void>
  /** Resets the count. */
  clear: (kind: AttemptKind, subject: string) => Promise<void>
}

/** What counts as one network: an IPv4 address, or the /64 of an IPv6 address, which one customer has whole. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  if (isIPv4(plain) || !isIPv6(plain)) return plain
  const [head = '', tail] = (plain.split('%', 1)[0] ?? '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? first : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
