import type { SnippetName } from './snippets.ts'

/** The toolbar in its order (spec §2): the snippet, and the label of its button if that is not its name. */
export const snippetTools: readonly [SnippetName, face?: string][] = [
  ['Bold', 'B'],
  ['Colour'],
  ['Button'],
  ['Table'],
  ['Merge variable', '{{ }}'],
]
