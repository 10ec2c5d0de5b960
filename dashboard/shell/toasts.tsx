import { mountToaster } from '../../widgets/kit/overlay/toaster.tsx'

const place = document.createElement('div')
place.className = 'toasts-place'
document.body.append(place)

/** Shows a toast of the dashboard. This module is loaded with the first one. */
export const showToast = mountToaster(place).notify
