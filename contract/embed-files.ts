/** What `embed.json` holds: the version of the embed's files, and the hash of each for `integrity`. */
export interface BuiltEmbed {
  /** Ends in a hash of everything, so that no address under it ever holds anything else. */
  version: string
  integrity: Readonly<Record<string, string>>
}
