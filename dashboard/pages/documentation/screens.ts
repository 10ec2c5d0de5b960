import { book } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const documentation: NounScreens = {
  screens: {
    '/dashboard/documentation': lazyScreen(async () => (await import('./documentation-page.tsx')).DocumentationPage),
  },
  sidebar: [{ group: 'end', place: 1, path: '/dashboard/documentation', text: 'Documentation', icon: book }],
}
