import { image } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const images: NounScreens = {
  screens: {
    '/dashboard/images': lazyScreen(async () => (await import('./images-page.tsx')).ImagesPage),
  },
  sidebar: [{ group: 'content', place: 3, path: '/dashboard/images', text: 'Images', icon: image }],
}
