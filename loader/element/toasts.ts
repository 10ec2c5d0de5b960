import { mountToaster } from '../../widgets/kit/overlay/toaster.tsx'
import type { Notify } from '../../widgets/lib/notify.ts'
import type { Language } from '../../widgets/lib/messages/messages.ts'

/** A place for a widget's toasts above everything in the page, without a node in it. */
export function openToasts(frame: HTMLElement, language: Language): { notify: Notify; close: () => void } {
  const place = document.createElement('div')
  place.popover = 'manual'
  place.style.cssText = 'all: unset'
  frame.append(place)
  // The widget may have gone while this was fetched.
  if (frame.isConnected) place.showPopover()
  const { notify, close } = mountToaster(place, language)
  return {
    notify,
    close() {
      close()
      place.remove()
    },
  }
}
