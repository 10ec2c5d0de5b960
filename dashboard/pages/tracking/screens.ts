import { gauge } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const tracking: NounScreens = {
  screens: {
    '/dashboard/tracking': lazyScreen(async () => (await import('./tracking-page.tsx')).TrackingPage),
  },
  sidebar: [{ group: 'end', place: 3, path: '/dashboard/tracking', text: 'Tracking', icon: gauge }],
}
