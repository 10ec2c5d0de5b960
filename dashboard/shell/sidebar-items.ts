import type { SidebarGroupId } from '../../contract/account/account.ts'
import type { IconData } from '../../widgets/kit/icon/icon.tsx'
import {
  atSign,
  ban,
  book,
  codeXml,
  house,
  layoutTemplate,
  library,
  list,
  listFilter,
  megaphone,
  send,
  userRound,
  users,
} from '../../widgets/kit/icon/icons.ts'

export interface SidebarItem {
  path: string
  text: string
  icon: IconData
  /** Further paths, with all below them, at which the entry is highlighted. */
  also?: readonly string[]
}

export interface SidebarGroup {
  /** Of a group that can be folded; the groups at the top and at the foot have none. */
  fold?: { id: SidebarGroupId; label: string }
  items: readonly SidebarItem[]
}

/** Entries of the sidebar in its order. An entry appears once its screen exists. */
export const sidebarGroups: readonly SidebarGroup[] = [
  {
    items: [
      { path: '/dashboard', text: 'Dashboard', icon: house },
      { path: '/dashboard/email_config', text: 'Email Config', icon: atSign },
      { path: '/dashboard/send_email', text: 'Send Email', icon: send },
    ],
  },
  {
    fold: { id: 'sending', label: 'Sending' },
    items: [{ path: '/dashboard/campaigns', text: 'Campaigns', icon: megaphone }],
  },
  {
    fold: { id: 'audience', label: 'Audience' },
    items: [
      {
        path: '/dashboard/contacts',
        text: 'Contacts',
        icon: users,
        also: ['/dashboard/contacts', '/dashboard/imports'],
      },
      { path: '/dashboard/lists', text: 'Lists', icon: list },
      { path: '/dashboard/segments', text: 'Segments', icon: listFilter, also: ['/dashboard/segments'] },
      { path: '/dashboard/suppressions', text: 'Suppressions', icon: ban },
    ],
  },
  {
    fold: { id: 'content', label: 'Content' },
    items: [
      { path: '/dashboard/templates', text: 'Templates', icon: layoutTemplate, also: ['/dashboard/create'] },
      { path: '/dashboard/globalTemplates', text: 'Global', icon: library, also: ['/dashboard/GlobalTemplates'] },
    ],
  },
  {
    fold: { id: 'developers', label: 'Developers' },
    items: [{ path: '/dashboard/embeds', text: 'Embeds', icon: codeXml }],
  },
  {
    items: [
      { path: '/dashboard/documentation', text: 'Documentation', icon: book },
      { path: '/dashboard/profile', text: 'Profile', icon: userRound },
    ],
  },
]

/** The screens that the sidebar leads to, in its order. */
export const sidebarItems: readonly SidebarItem[] = sidebarGroups.flatMap(({ items }) => items)

/** Whether an entry belongs to the screen at a path. */
export const isCurrentItem = ({ path, also = [] }: SidebarItem, shown: string) =>
  shown === path || also.some((start) => shown === start || shown.startsWith(`${start}/`))
