import type { TemplateAbout } from '../template.ts'

export const welcome: TemplateAbout = {
  slug: 'welcome',
  kind: 'marketing',
  category: 'Account',
  name: 'Welcome',
  description: 'The first letter after signing up: a very large hello, one button, three small steps.',
  subject: 'Hello {{first_name | default: "friend"}}, welcome to {{company | default: "Your company"}}',
  sample: { first_name: 'Imani', start_url: 'https://example.com/start', sender_name: 'Ruth' },
}
