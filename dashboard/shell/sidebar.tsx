import { useEffect, useId, useRef, useState } from 'react'
import type { SidebarGroupId } from '../../contract/account/account.ts'
import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { chevronDown, logOut } from '../../widgets/kit/icon/icons.ts'
import { useText } from '../../widgets/kit/text/text.tsx'
import { useApp } from '../app.ts'
import { onFoldedChange, readFolded, saveFolded, type Sidebar as SidebarState } from '../preferences.ts'
import { useUnreadReplies } from '../pages/replies/unread.ts'
import { signOut } from './sign-out.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import type { SidebarItem } from './noun-screens.ts'
import { isCurrentItem, sidebarGroups, type SidebarGroup } from './sidebar-items.ts'

export interface SidebarProps {
  state: SidebarState
  /** On a small screen it is a sheet, which shows every entry. */
  isSheet: boolean
  path: string
  onOpen: () => void
  /** A link was followed: a sheet closes then. */
  onFollowed: () => void
}

/** The way to each screen, and out. Collapsed it is a rail of icons with their names as tooltips. */
export function Sidebar({ state, isSheet, path, onOpen, onFollowed }: SidebarProps) {
  const t = useText()
  const { session } = useApp()
  const [folded, setFolded] = useState(readFolded)
  useEffect(() => {
    return onFoldedChange(() => setFolded(readFolded()))
  }, [])
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isSheet && state === 'open') nav.current?.querySelector('a')?.focus()
  }, [isSheet, state])
  const toggle = (id: SidebarGroupId) =>
    saveFolded(folded.includes(id) ? folded.filter((one) => one !== id) : [...folded, id])
  const logout = () => {
    if (state === 'collapsed') {
      onOpen()
      return
    }
    signOut(session)
  }
  return (
    <nav ref={nav} className={`sidebar ${state}`} aria-label={t('Dashboard')}>
      {sidebarGroups.map((group) => (
        <Group
          key={group.items[0]?.path}
          group={group}
          path={path}
          fold={isSheet ? 'never' : state === 'collapsed' ? 'rail' : 'can'}
          isFolded={group.fold !== undefined && folded.includes(group.fold.id)}
          onToggle={toggle}
          onFollowed={onFollowed}
        />
      ))}
      <div className="sidebar-scheme">
        <SchemeSwitch />
      </div>
      <button type="button" className="sidebar-item" onClick={logout}>
        <Icon of={logOut} />
        <span className="sidebar-text">{t('Logout')}</span>
      </button>
    </nav>
  )
}

interface GroupProps {
  group: SidebarGroup
  path: string
  /** `rail`: a line in place of the label. */
  fold: 'can' | 'never' | 'rail'
  isFolded: boolean
  onToggle: (id: SidebarGroupId) => void
  onFollowed: () => void
}

/** Entries below their label. Folded, only the entry of the present screen is shown. */
function Group({ group: { fold: label, items }, path, fold, isFolded, onToggle, onFollowed }: GroupProps) {
  const t = useText()
  const id = useId()
  const isShort = fold === 'can' && isFolded
  const shown = isShort ? items.filter((item) => isCurrentItem(item, path)) : items
  return (
    <div className="sidebar-group" {...(label && { role: 'group', 'aria-labelledby': `${id}-label` })}>
      {label && fold === 'can' && (
        <button
          type="button"
          className="sidebar-label"
          id={`${id}-label`}
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => onToggle(label.id)}
        >
          {t(label.label)}
          <Icon of={chevronDown} size={14} />
        </button>
      )}
      {label && fold !== 'can' && (
        <span className="sidebar-label" id={`${id}-label`}>
          {t(label.label)}
        </span>
      )}
      <div className="sidebar-items" id={id}>
        {shown.map((item) => (
          <Entry key={item.path} item={item} isCurrent={isCurrentItem(item, path)} onFollowed={onFollowed} />
        ))}
      </div>
    </div>
  )
}

function Entry({ item, isCurrent, onFollowed }: { item: SidebarItem; isCurrent: boolean; onFollowed: () => void }) {
  const t = useText()
  return (
    <a className="sidebar-item" href={item.path} onClick={onFollowed} aria-current={isCurrent ? 'page' : undefined}>
      <Icon of={item.icon} />
      <span className="sidebar-text">{t(item.text)}</span>
      {item.path === '/dashboard/replies' && <RepliesBadge />}
    </a>
  )
}

/** The number of replies to read. */
function RepliesBadge() {
  const { session } = useApp()
  const count = useUnreadReplies(session)
  return count === 0 ? null : <span className="sidebar-badge">{count}</span>
}
