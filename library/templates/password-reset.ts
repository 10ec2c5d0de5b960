import type { TemplateAbout } from '../template.ts'

export const passwordReset: TemplateAbout = {
  slug: 'password-reset',
  kind: 'transactional',
  category: 'Account',
  name: 'Password reset',
  description: 'A link to a new password, who asked for it and when: eight squares, the last one still empty.',
  subject: 'Choose a new password',
  sample: {
    email: 'imani@example.org',
    reset_url: 'https://example.com/reset/91c2',
    link_life: 'one hour',
    requested_at: 'Tuesday 4 March, 09:12',
    device: 'Firefox on Linux, Lisbon',
  },
}
