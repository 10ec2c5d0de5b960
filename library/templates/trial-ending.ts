import type { TemplateAbout } from '../template.ts'

export const trialEnding: TemplateAbout = {
  slug: 'trial-ending',
  kind: 'marketing',
  category: 'Account',
  name: 'Trial ending',
  description: 'Three days before a trial ends: fourteen boxes, eleven of them filled, and what happens next.',
  subject: '3 days left of your trial',
  sample: {
    first_name: 'Imani',
    trial_ends_on: 'Friday 14 March',
    plan_name: 'The Studio plan',
    plan_price: '£12 a month',
    upgrade_url: 'https://example.com/plans',
  },
}
