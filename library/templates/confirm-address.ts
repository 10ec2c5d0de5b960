import type { TemplateAbout } from '../template.ts'

export const confirmAddress: TemplateAbout = {
  slug: 'confirm-address',
  kind: 'transactional',
  category: 'Account',
  name: 'Confirm address',
  description: 'Asks a new person to confirm their email address: an airmail envelope with a stamp, and one button.',
  subject: 'Is this your address? Please confirm it',
  sample: { email: 'imani@example.org', confirm_url: 'https://example.com/confirm/4b7e', link_life: '24 hours' },
}
