import { reply } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const replies: NounScreens = {
  screens: {
    '/dashboard/replies': lazyScreen(async () => (await import('./replies-page.tsx')).RepliesPage),
  },
  sidebar: [{ group: 'sending', place: 4, path: '/dashboard/replies', text: 'Replies', icon: reply }],
}
