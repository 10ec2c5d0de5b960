import { house } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const home: NounScreens = {
  screens: {
    '/dashboard': lazyScreen(async () => (await import('./home-page.tsx')).HomePage),
  },
  sidebar: [{ group: 'start', place: 1, path: '/dashboard', text: 'Dashboard', icon: house }],
}
