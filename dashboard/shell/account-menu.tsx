import { useEffect, useId, useRef } from 'react'
import { useText } from '../../widgets/kit/text/text.tsx'
import { useApp } from '../app.ts'
import { Avatar, type Pictured } from './avatar.tsx'
import { signOut } from './sign-out.ts'

/** On a small screen, where the welcome does not fit: the avatar opens it, with what concerns the account. */
export function AccountMenu({ user }: { user: Pictured }) {
  const t = useText()
  const { session } = useApp()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = menu.current
    const onClick = () => element?.hidePopover()
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [])
  return (
    <>
      <button type="button" className="profile-link" popoverTarget={id}>
        <Avatar user={user} />
      </button>
      <div ref={menu} id={id} className="account-menu" popover="auto">
        <p>{t('Welcome, {email}', { email: user.email })}</p>
        <a href="/dashboard/profile">{t('Profile')}</a>
        <button type="button" onClick={() => signOut(session)}>
          {t('Logout')}
        </button>
      </div>
    </>
  )
}
