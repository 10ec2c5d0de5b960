import { embedWidgets } from './embed-scopes.ts'

/** What `embed.json` holds: the version of the embed's files, and the hash of each for `integrity`. */
export interface BuiltEmbed {
  /** Ends in a hash of everything, so that no address under it ever holds anything else. */
  version: string
  integrity: Readonly<Record<string, string>>
}

/** Scripts that a page may name: the loader alone, and the loader with one widget in the same file. */
export const loaderFiles = ['loader.js', ...embedWidgets.map((widget) => `${widget}.js` as const)] as const
