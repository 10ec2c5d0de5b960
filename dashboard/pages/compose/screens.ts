import { send } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const compose: NounScreens = {
  screens: {
    '/dashboard/send_email': lazyScreen(async () => (await import('./send-page.tsx')).SendPage),
  },
  sidebar: [{ group: 'start', place: 3, path: '/dashboard/send_email', text: 'Send Email', icon: send }],
}
