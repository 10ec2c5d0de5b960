import { layoutTemplate, library } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

const globalTemplates = lazyScreen(async () => (await import('./global-templates-page.tsx')).GlobalTemplatesPage)

export const templates: NounScreens = {
  screens: {
    '/dashboard/templates': lazyScreen(async () => (await import('./templates-page.tsx')).TemplatesPage),
    '/dashboard/create': lazyScreen(async () => (await import('../designer/designer-page.tsx')).DesignerPage),
    // Both spellings are on record (spec §2).
    '/dashboard/globalTemplates': globalTemplates,
    '/dashboard/GlobalTemplates': globalTemplates,
  },
  sidebar: [
    {
      group: 'content',
      place: 1,
      path: '/dashboard/templates',
      text: 'Templates',
      icon: layoutTemplate,
      also: ['/dashboard/create'],
    },
    {
      group: 'content',
      place: 2,
      path: '/dashboard/globalTemplates',
      text: 'Global',
      icon: library,
      also: ['/dashboard/GlobalTemplates'],
    },
  ],
}
