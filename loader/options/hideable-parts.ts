import type { HideablePart } from '../../widgets/compose/compose-state.ts'

export const hideableParts: readonly Exclude<HideablePart, 'choose-template'>[] = [
  'preview',
  'templates',
  'test-send',
  'snippets',
  'from',
  'recipients',
  'subject',
]
