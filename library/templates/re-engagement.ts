import type { TemplateAbout } from '../template.ts'

export const reEngagement: TemplateAbout = {
  slug: 're-engagement',
  kind: 'marketing',
  category: 'Relationships',
  name: 'Re-engagement',
  description: 'For people who have been away: a house at night with one window lit, and an easy way out.',
  subject: 'We left a light on',
  sample: {
    first_name: 'Imani',
    time_away: 'six months',
    return_url: 'https://example.com/back',
    company: 'Northlight',
    postal_address: 'Northlight, 5 Harbour Walk, Dundee DD1 4HN',
  },
}
