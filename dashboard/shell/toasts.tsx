import { createRoot } from 'react-dom/client'
import { Slide, toast, ToastContainer } from 'react-toastify/unstyled'
import { toastMs } from '../../contract/core/limits.ts'
import type { Toast } from '../../widgets/lib/notify.ts'

let isMounted = false

/** Shows a toast: top-right, 5000 ms, pauses on hover and on focus loss, draggable (spec §9). Comes with the first one. */
export function showToast({ kind, text }: Toast): void {
  if (!isMounted) mountToasts()
  toast(text, { type: kind, role: kind === 'error' ? 'alert' : 'status' })
}

/** In a root of its own, so that the first toast does not wait for a screen to draw. */
function mountToasts(): void {
  isMounted = true
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(
    <ToastContainer
      position="top-right"
      autoClose={toastMs}
      pauseOnHover
      pauseOnFocusLoss
      draggable
      hideProgressBar
      newestOnTop
      transition={Slide}
      limit={4}
    />,
  )
}
