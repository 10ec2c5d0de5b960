import type { ReactNode } from 'react'
import { ButtonLink } from '../../widgets/kit/button.tsx'
import { ScreenHead } from '../shell/screen-head.tsx'

// Screens that have their address before they have their content.

/** /dashboard/templates. */
export function TemplatesPage() {
  return (
    <Later title="Templates" what="Templates of your own">
      They are not part of this version yet. A message can be written and sent today.
    </Later>
  )
}

/** /dashboard/create. */
export function DesignerPage() {
  return (
    <Later title="Template Designer" what="The template designer">
      It is not part of this version yet. The composer takes HTML and shows it as you write.
    </Later>
  )
}

/** /dashboard/globalTemplates. */
export function GlobalTemplatesPage() {
  return (
    <Later title="Global Templates" what="The library of global templates">
      It is not part of this version yet. A message can be written and sent today.
    </Later>
  )
}

function Later({ title, what, children }: { title: string; what: string; children: ReactNode }) {
  return (
    <>
      <ScreenHead title={title} />
      <section className="panel later">
        <h2>{what}: not here yet</h2>
        <p>{children}</p>
        <ButtonLink href="/dashboard/send_email">Write a message</ButtonLink>
      </section>
    </>
  )
}
