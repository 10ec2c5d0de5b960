import { useSnapshot } from 'valtio'
import { useApp } from '../app.ts'
import { SchemeSwitch } from '../shell/scheme-switch.tsx'
import { ScreenHead } from '../shell/screen-head.tsx'

/** /dashboard/profile: who is signed in, as the server knows it, and how the product looks. */
export function ProfilePage() {
  const { user } = useSnapshot(useApp().session.state)
  if (user === null) return null
  const rows = [
    ['Name', `${user.first_name} ${user.last_name}`],
    ['Email', user.email],
    ['Workspace', `${user.workspace.name}, as ${user.workspace.role}`],
    ['Member since', new Date(user.created_at).toLocaleDateString([], { dateStyle: 'long' })],
  ] as const
  return (
    <>
      <ScreenHead title="Profile">Your details.</ScreenHead>
      <section className="panel profile" aria-label="Details">
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div>
            <dt>Appearance</dt>
            <dd>
              <SchemeSwitch />
            </dd>
          </div>
        </dl>
      </section>
    </>
  )
}
