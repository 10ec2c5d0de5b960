import type { SidebarGroupId } from '../../contract/account/account.ts'
import * as registry from '../screens.ts'
import type { NounScreens, SidebarItem } from './noun-screens.ts'

export interface SidebarGroup {
  /** Of a group that can be folded; the groups at the start and at the end have none. */
  fold?: { id: SidebarGroupId; label: string }
  items: readonly SidebarItem[]
}

const entries = Object.values<NounScreens>(registry)
  .flatMap(({ sidebar = [] }) => sidebar)
  .sort((one, other) => one.place - other.place)

const itemsOf = (group: SidebarItem['group']) => entries.filter((item) => item.group === group)
const foldable = (id: SidebarGroupId, label: string): SidebarGroup => ({ fold: { id, label }, items: itemsOf(id) })

/** Entries of the sidebar in its order. */
export const sidebarGroups: readonly SidebarGroup[] = [
  { items: itemsOf('start') },
  foldable('sending', 'Sending'),
  foldable('audience', 'Audience'),
  foldable('content', 'Content'),
  foldable('developers', 'Developers'),
  { items: itemsOf('end') },
]

/** The screens that the sidebar leads to, in its order. */
export const sidebarItems: readonly SidebarItem[] = sidebarGroups.flatMap(({ items }) => items)

/** Whether an entry belongs to the screen at a path. */
export const isCurrentItem = ({ path, also = [] }: SidebarItem, shown: string) =>
  shown === path || also.some((start) => shown === start || shown.startsWith(`${start}/`))
