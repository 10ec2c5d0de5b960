import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { menu } from '../../widgets/kit/icon/icons.ts'
import { useText } from '../../widgets/kit/text/text.tsx'
import { isCurrentItem, sidebarItems } from './sidebar-items.ts'

const paths = ['/dashboard', '/dashboard/campaigns', '/dashboard/send_email', '/dashboard/replies']
const items = paths.flatMap((path) => sidebarItems.filter((item) => item.path === path))

/** On a small screen: the most used screens, and the button that opens the sidebar as a sheet. */
export function BottomBar({ path, isOpen, onMenu }: { path: string; isOpen: boolean; onMenu: () => void }) {
  const t = useText()
  const isElsewhere = !items.some((item) => isCurrentItem(item, path))
  return (
    <nav className="bottom-bar" aria-label={t('Main screens')}>
      {items.map((item) => (
        <a key={item.path} href={item.path} aria-current={isCurrentItem(item, path) ? 'page' : undefined}>
          <Icon of={item.icon} size={20} />
          {t(item.text)}
        </a>
      ))}
      <button type="button" aria-expanded={isOpen} className={isElsewhere ? 'current' : undefined} onClick={onMenu}>
        <Icon of={menu} size={20} />
        {t('Menu')}
      </button>
    </nav>
  )
}
