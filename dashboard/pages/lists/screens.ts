import { list } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const lists: NounScreens = {
  screens: {
    '/dashboard/lists': lazyScreen(async () => (await import('./lists-page.tsx')).ListsPage),
  },
  sidebar: [{ group: 'audience', place: 2, path: '/dashboard/lists', text: 'Lists', icon: list }],
}
