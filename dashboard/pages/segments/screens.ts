import { listFilter } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const segments: NounScreens = {
  screens: {
    '/dashboard/segments': lazyScreen(async () => (await import('./segments-page.tsx')).SegmentsPage),
  },
  screensById: {
    '/dashboard/segments/': lazyScreen(async () => (await import('./segment-page.tsx')).SegmentPage),
  },
  sidebar: [
    {
      group: 'audience',
      place: 3,
      path: '/dashboard/segments',
      text: 'Segments',
      icon: listFilter,
      also: ['/dashboard/segments'],
    },
  ],
}
