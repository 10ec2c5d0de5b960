import type { Session } from '../../client/core/http.ts'
import type { OpenPicker } from '../../widgets/compose/compose-types.ts'
import type { Notify } from '../../widgets/lib/notify.ts'
import { mountTemplatePicker } from '../../widgets/template-picker/template-picker-element.tsx'
import type { Language } from '../../widgets/lib/messages/messages.ts'

/** The composer's templates: the same picker that pages can embed alone. */
export async function openPicker(
  page: {
    session: Session
    notify: Notify
    language: Language
    options: { hostedKey: string }
    limit: (place: Element) => void
  },
  ...[place, how]: Parameters<OpenPicker>
): ReturnType<OpenPicker> {
  const unmount = mountTemplatePicker(place, { ...page, options: { ...how, ...page.options } })
  await new Promise((resolve) => setTimeout(resolve)) // The renderer commits in a microtask.
  page.limit(place)
  return unmount
}
