import { megaphone } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const campaigns: NounScreens = {
  screens: {
    '/dashboard/campaigns': lazyScreen(async () => (await import('./campaigns-page.tsx')).CampaignsPage),
  },
  sidebar: [{ group: 'sending', place: 1, path: '/dashboard/campaigns', text: 'Campaigns', icon: megaphone }],
}
