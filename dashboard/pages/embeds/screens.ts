import { codeXml } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const embeds: NounScreens = {
  screens: {
    '/dashboard/embeds': lazyScreen(async () => (await import('./embeds-page.tsx')).EmbedsPage),
  },
  sidebar: [{ group: 'developers', place: 1, path: '/dashboard/embeds', text: 'Embeds', icon: codeXml }],
}
