import { mail } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const messages: NounScreens = {
  screens: {
    '/dashboard/messages': lazyScreen(async () => (await import('./messages-page.tsx')).MessagesPage),
  },
  sidebar: [{ group: 'sending', place: 3, path: '/dashboard/messages', text: 'Messages', icon: mail }],
}
