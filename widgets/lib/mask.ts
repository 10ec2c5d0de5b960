import { secretKeyVisibleChars } from '../../contract/mail/config.limits.ts'

/** A secret key as a screen shows it: its first 3 characters and dots; 'N/A' without one (spec §2). */
export function maskSecretKey(key: string | null | undefined): string {
  return key ? key.slice(0, secretKeyVisibleChars) + '•'.repeat(8) : 'N/A'
}
