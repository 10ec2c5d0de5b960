import { atSign } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const mailboxes: NounScreens = {
  screens: {
    '/dashboard/email_config': lazyScreen(async () => (await import('./mailboxes-page.tsx')).MailboxesPage),
  },
  sidebar: [{ group: 'start', place: 2, path: '/dashboard/email_config', text: 'Email Config', icon: atSign }],
}
