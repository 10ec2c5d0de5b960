import type { Session } from '../client/http.ts'
import type { OpenPicker } from '../widgets/compose/compose-store.ts'
import type { Notify } from '../widgets/lib/notify.ts'
import { mountTemplatePicker } from '../widgets/template-picker/template-picker-element.tsx'

/** The composer's templates: the same picker that pages embed by itself. */
export function openPicker(
  page: { session: Session; notify: Notify; options: { hostedKey: string } },
  ...[place, how]: Parameters<OpenPicker>
): ReturnType<OpenPicker> {
  return Promise.resolve(mountTemplatePicker(place, { ...page, options: { ...how, ...page.options } }))
}
