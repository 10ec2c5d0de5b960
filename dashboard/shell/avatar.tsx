import type { User } from '../../contract/account/account.ts'

/** The profile image: the person's initials. */
export function Avatar({ user }: { user: User }) {
  const initials = (user.first_name.slice(0, 1) + user.last_name.slice(0, 1) || user.email.slice(0, 2)).toUpperCase()
  return (
    <svg
      className="avatar"
      viewBox="0 0 32 32"
      role="img"
      aria-label={`Profile image of ${user.first_name} ${user.last_name}`}
    >
      <circle cx="16" cy="16" r="16" />
      <text x="16" y="16">
        {initials}
      </text>
    </svg>
  )
}
