import type { Group, Part, Row } from './rule-draft.ts'

/** Where a row or group can be moved. */
export type Move = 'up' | 'down' | 'into_above' | 'into_below'

interface Place {
  part: Part
  parent: Group
  index: number
  /** The group around `parent`; null where `parent` is the outermost one. */
  around: Group | null
}

function findPlace(group: Group, key: number, around: Group | null = null): Place | null {
  for (const [index, part] of group.parts.entries()) {
    if (part.key === key) return { part, parent: group, index, around }
    const found = part.kind === 'group' ? findPlace(part, key, group) : null
    if (found !== null) return found
  }
  return null
}

/** The rows of a group in the order in which they are shown. */
export function rowsOf(group: Group): Row[] {
  return group.parts.flatMap((part) => (part.kind === 'row' ? [part] : rowsOf(part)))
}

/** Changes a row. */
export function changeRow(root: Group, key: number, change: Partial<Omit<Row, 'kind' | 'key'>>): Group {
  return mapParts(root, (part) => (part.key === key && part.kind === 'row' ? { ...part, ...change } : part))
}

/** Changes a group, the outermost one included. */
export function changeGroup(root: Group, key: number, change: Partial<Pick<Group, 'join' | 'isNegated'>>): Group {
  const changed = mapParts(root, (part) => (part.key === key && part.kind === 'group' ? { ...part, ...change } : part))
  return root.key === key ? { ...changed, ...change } : changed
}

/** Adds a part at the end of a group. */
export function addPart(root: Group, groupKey: number, part: Part): Group {
  return withParts(root, groupKey, (parts) => [...parts, part])
}

/** Removes a part, and the groups that it leaves empty; the outermost group stays. */
export function removePart(root: Group, key: number): Group {
  const place = findPlace(root, key)
  return place === null ? root : prune(withParts(root, place.parent.key, (parts) => without(parts, key)))
}

/** The part that is next to a part: the following one, else the one before; null where it is the only one. */
export function neighbourOf(root: Group, key: number): Part | null {
  const place = findPlace(root, key)
  if (place === null) return null
  const { parent, index, around } = place
  const sibling = parent.parts[index + 1] ?? parent.parts[index - 1]
  return sibling ?? (around === null ? null : neighbourOf(root, parent.key))
}

/** The moves that a part's place allows. */
export function possibleMoves(root: Group, key: number): Move[] {
  const place = findPlace(root, key)
  if (place === null) return []
  const { parent, index, around } = place
  const [above, below] = [parent.parts[index - 1], parent.parts[index + 1]]
  const isInside = around !== null
  const moves: [Move, boolean][] = [
    ['up', above !== undefined || isInside],
    ['down', below !== undefined || isInside],
    ['into_above', above?.kind === 'group'],
    ['into_below', below?.kind === 'group'],
  ]
  return moves.flatMap(([move, isPossible]) => (isPossible ? [move] : []))
}

/** Moves a part by one place; from the edge of a group it moves out of the group. */
export function movePart(root: Group, key: number, move: Move): Group {
  const place = findPlace(root, key)
  if (place === null) return root
  const { part, parent, index, around } = place
  const step = move === 'up' || move === 'into_above' ? -1 : 1
  const sibling = parent.parts[index + step]
  const out = () => withParts(root, parent.key, (parts) => without(parts, key))
  if (move === 'into_above' || move === 'into_below') {
    if (sibling?.kind !== 'group') return root
    return withParts(out(), sibling.key, (parts) => (step < 0 ? [...parts, part] : [part, ...parts]))
  }
  if (sibling !== undefined)
    return withParts(root, parent.key, (parts) => insertAt(without(parts, key), index + step, part))
  if (around === null) return root
  const parentIndex = around.parts.findIndex((other) => other.key === parent.key)
  return prune(withParts(out(), around.key, (parts) => insertAt(parts, parentIndex + (step < 0 ? 0 : 1), part)))
}

const without = (parts: readonly Part[], key: number) => parts.filter((part) => part.key !== key)
const insertAt = (parts: readonly Part[], index: number, part: Part) => [
  ...parts.slice(0, index),
  part,
  ...parts.slice(index),
]

function mapParts(group: Group, change: (part: Part) => Part): Group {
  const parts = group.parts.map((part) => change(part.kind === 'group' ? mapParts(part, change) : part))
  return { ...group, parts }
}

function withParts(root: Group, groupKey: number, change: (parts: readonly Part[]) => readonly Part[]): Group {
  if (root.key === groupKey) return { ...root, parts: change(root.parts) }
  const parts = root.parts.map((part) => (part.kind === 'group' ? withParts(part, groupKey, change) : part))
  return { ...root, parts }
}

function prune(group: Group): Group {
  const parts = group.parts
    .map((part) => (part.kind === 'group' ? prune(part) : part))
    .filter((part) => part.kind === 'row' || part.parts.length > 0)
  return { ...group, parts }
}
