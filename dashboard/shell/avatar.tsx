import type { User } from '../../contract/account/account.ts'
import { useText } from '../../widgets/kit/text/text.tsx'

/** Who is shown. */
export type Pictured = Pick<User, 'email' | 'first_name' | 'last_name'>

/** The profile image: the person's initials. */
export function Avatar({ user }: { user: Pictured }) {
  const t = useText()
  const initials = (user.first_name.slice(0, 1) + user.last_name.slice(0, 1) || user.email.slice(0, 2)).toUpperCase()
  return (
    <svg
      className="avatar"
      viewBox="0 0 32 32"
      role="img"
      aria-label={t('Profile image of {name}', { name: `${user.first_name} ${user.last_name}` })}
    >
      <circle cx="16" cy="16" r="16" />
      <text x="16" y="16">
        {initials}
      </text>
    </svg>
  )
}
