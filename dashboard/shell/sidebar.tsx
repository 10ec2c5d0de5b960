import { Icon, type IconData } from '../../widgets/kit/icon/icon.tsx'
import {
  atSign,
  book,
  codeXml,
  house,
  layoutTemplate,
  library,
  logOut,
  megaphone,
  send,
  userRound,
  userX,
} from '../../widgets/kit/icon/icons.ts'
import { useApp } from '../app.ts'
import { clearLocalStorage, type Sidebar as SidebarState } from '../preferences.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

/** The screens of the sidebar, in its order; `also` are further paths at which the entry is highlighted. */
export const sidebarItems: readonly { path: string; text: string; icon: IconData; also?: string }[] = [
  { path: '/dashboard', text: 'Dashboard', icon: house },
  { path: '/dashboard/email_config', text: 'Email Config', icon: atSign },
  { path: '/dashboard/send_email', text: 'Send Email', icon: send },
  { path: '/dashboard/campaigns', text: 'Campaigns', icon: megaphone },
  { path: '/dashboard/suppressions', text: 'Suppressions', icon: userX },
  { path: '/dashboard/templates', text: 'Templates', icon: layoutTemplate, also: '/dashboard/create' },
  { path: '/dashboard/globalTemplates', text: 'Global', icon: library, also: '/dashboard/GlobalTemplates' },
  { path: '/dashboard/embeds', text: 'Embeds', icon: codeXml },
  { path: '/dashboard/documentation', text: 'Documentation', icon: book },
  { path: '/dashboard/profile', text: 'Profile', icon: userRound },
]

export interface SidebarProps {
  state: SidebarState
  path: string
  onOpen: () => void
  /** A link was followed: a drawer closes then. */
  onFollowed: () => void
}

/** Navigation to each screen, and logout. Collapsed it shows icons, with names for assistive technology and on hover. */
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
      {sidebarItems.map(({ path: to, text, icon, also }) => (
        <a
          key={to}
          href={to}
          onClick={onFollowed}
          title={title(t(text))}
          aria-current={path === to || path === also ? 'page' : undefined}
        >
          <Icon of={icon} />
          <span className="sidebar-text">{t(text)}</span>
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
