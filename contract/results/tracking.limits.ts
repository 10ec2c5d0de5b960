import type { TrackingMode } from './tracking-mode.ts'

/** Longest value of a UTM parameter, in characters. */
export const utmMaxChars = 100

/** UTM parameters of a campaign. */
export const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const

/** Tracking modes from the strictest to the widest. */
export const trackingModes = ['off', 'counts', 'identified'] as const satisfies readonly TrackingMode[]
