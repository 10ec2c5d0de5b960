import { ban } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const suppressions: NounScreens = {
  screens: {
    '/dashboard/suppressions': lazyScreen(async () => (await import('./suppressions-page.tsx')).SuppressionsPage),
  },
  sidebar: [{ group: 'audience', place: 4, path: '/dashboard/suppressions', text: 'Suppressions', icon: ban }],
}
