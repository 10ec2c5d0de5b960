import { users } from '../../../widgets/kit/icon/icons.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import type { NounScreens } from '../../shell/noun-screens.ts'

export const contacts: NounScreens = {
  screens: {
    '/dashboard/contacts': lazyScreen(async () => (await import('./contacts-page.tsx')).ContactsPage),
    '/dashboard/contacts/fields': lazyScreen(async () => (await import('../fields/fields-page.tsx')).FieldsPage),
  },
  screensById: {
    '/dashboard/contacts/': lazyScreen(async () => (await import('../contact/contact-page.tsx')).ContactPage),
    '/dashboard/imports/': lazyScreen(async () => (await import('../imports/import-page.tsx')).ImportPage),
  },
  sidebar: [
    {
      group: 'audience',
      place: 1,
      path: '/dashboard/contacts',
      text: 'Contacts',
      icon: users,
      also: ['/dashboard/contacts', '/dashboard/imports'],
    },
  ],
}
