import { designVersion } from '../contract/design/design.limits.ts'
import { isRecord } from './checks.ts'

/** Upgrades by the version they start from; each returns a document of the next version. */
const steps: Readonly<Record<number, (document: Record<string, unknown>) => Record<string, unknown>>> = {}

/**
 * A stored or received document in the current version, step by step; to be validated afterwards. A document of a newer
 * version, or without one, is returned unchanged: the check names the fault.
 */
export function migrateDesign(document: unknown): unknown {
  let current = document
  while (isRecord(current) && typeof current['version'] === 'number' && current['version'] < designVersion) {
    const step = steps[current['version']]
    if (step === undefined) return current
    current = step(current)
  }
  return current
}

/** Whether a newer edition wrote the document: it is shown read-only, kept as it is, and sent as the HTML that was stored with it. */
export function isNewerDesign(document: unknown): boolean {
  return isRecord(document) && typeof document['version'] === 'number' && document['version'] > designVersion
}
