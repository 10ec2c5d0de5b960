import { Icon, type IconData } from '../../widgets/kit/icon/icon.tsx'
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
  logOut,
  megaphone,
  send,
  userRound,
  users,
} from '../../widgets/kit/icon/icons.ts'
import { useApp } from '../app.ts'
import { clearLocalStorage, type Sidebar as SidebarState } from '../preferences.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

export interface SidebarItem {
  path: string
  text: string
  icon: IconData
  /** Further paths, with all below them, at which the entry is highlighted. */
  also?: readonly string[]
}

/** Entries of the sidebar in its order; those of a group can be folded. An entry appears once its screen exists. */
export const sidebarGroups: readonly { id: string; label?: string; items: readonly SidebarItem[] }[] = [
  {
    id: 'top',
    items: [
      { path: '/dashboard', text: 'Dashboard', icon: house },
      { path: '/dashboard/email_config', text: 'Email Config', icon: atSign },
      { path: '/dashboard/send_email', text: 'Send Email', icon: send },
    ],
  },
  {
    id: 'sending',
    label: 'Sending',
    items: [{ path: '/dashboard/campaigns', text: 'Campaigns', icon: megaphone }],
  },
  {
    id: 'audience',
    label: 'Audience',
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
    id: 'content',
    label: 'Content',
    items: [
      { path: '/dashboard/templates', text: 'Templates', icon: layoutTemplate, also: ['/dashboard/create'] },
      { path: '/dashboard/globalTemplates', text: 'Global', icon: library, also: ['/dashboard/GlobalTemplates'] },
    ],
  },
  {
    id: 'developers',
    label: 'Developers',
    items: [{ path: '/dashboard/embeds', text: 'Embeds', icon: codeXml }],
  },
  {
    id: 'foot',
    items: [
      { path: '/dashboard/documentation', text: 'Documentation', icon: book },
      { path: '/dashboard/profile', text: 'Profile', icon: userRound },
    ],
  },
]

/** The screens that the sidebar leads to, in its order. */
export const sidebarItems: readonly SidebarItem[] = sidebarGroups.flatMap(({ items }) => items)

const isCurrent = ({ path, also = [] }: SidebarItem, shown: string) =>
  shown === path || also.some((start) => shown === start || shown.startsWith(`${start}/`))

export interface SidebarProps {
  state: SidebarState
  path: string
  onOpen: () => void
  /** A link was followed: a drawer closes then. */
  onFollowed: () => void
}

/** The way to each screen, and out. Collapsed it is narrow and shows icons, their names for assistive tools and on hover. */
export function Sidebar({ state, path, onOpen, onFollowed }: SidebarProps) {
  const t = useText()
  const { session } = useApp()
  const logout = () => {
    if (state === 'collapsed') {
      onOpen()
      return
    }
    session.signOut()
    clearLocalStorage()
    location.reload()
  }
  const title = (text: string) => (state === 'collapsed' ? text : undefined)
  return (
    <nav className={`sidebar ${state}`} aria-label={t('Dashboard')}>
      {sidebarItems.map((item) => (
        <a
          key={item.path}
          href={item.path}
          onClick={onFollowed}
          title={title(t(item.text))}
          aria-current={isCurrent(item, path) ? 'page' : undefined}
        >
          <Icon of={item.icon} />
          <span className="sidebar-text">{t(item.text)}</span>
        </a>
      ))}
      <div className="sidebar-scheme">
        <SchemeSwitch />
      </div>
      <button type="button" title={title('Logout')} onClick={logout}>
        <Icon of={logOut} />
        <span className="sidebar-text">{t('Logout')}</span>
      </button>
    </nav>
  )
}
