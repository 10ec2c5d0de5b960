/** Names that a networks file may give to networks; others are read as `other`. New names are appended. */
export const networkNames = [
  'other',
  'apple',
  'google',
  'yahoo',
  'microsoft',
  'proofpoint',
  'mimecast',
  'barracuda',
  'cisco',
  'symantec',
  'trendmicro',
  'sophos',
  'fortinet',
  'datacenter',
] as const
export type NetworkName = (typeof networkNames)[number]

/** What the networks file says about a network. */
export interface NetworkEntry {
  name: NetworkName
  /** `clicks`: opens from there are judged by other facts. */
  scope: 'clicks' | 'all'
  /** `probable`: people use this network too. */
  certainty: 'machine' | 'probable'
}

/** The form in which hits and events keep an entry: a small number. */
export const networkLabelOf = ({ name, scope, certainty }: NetworkEntry): number =>
  networkNames.indexOf(name) * 4 + (scope === 'all' ? 2 : 0) + (certainty === 'probable' ? 1 : 0)

export const networkEntryOf = (label: number): NetworkEntry => ({
  name: networkNames[label >> 2] ?? 'other',
  scope: label & 2 ? 'all' : 'clicks',
  certainty: label & 1 ? 'probable' : 'machine',
})
