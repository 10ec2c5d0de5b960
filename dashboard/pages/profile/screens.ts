import { userRound } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const profile: NounScreens = {
  screens: {
    '/dashboard/profile': lazyScreen(async () => (await import('./profile-page.tsx')).ProfilePage),
  },
  sidebar: [{ group: 'end', place: 2, path: '/dashboard/profile', text: 'Profile', icon: userRound }],
}
