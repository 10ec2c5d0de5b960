import type { TemplateAbout } from '../template.ts'

export const serviceNotice: TemplateAbout = {
  slug: 'service-notice',
  kind: 'transactional',
  category: 'Account',
  name: 'Service notice',
  description: 'A public notice in black: when the service is away, on a strip of 24 hours, and what still works.',
  subject:
    'Away on {{outage_date | default: "one evening soon"}}, from {{starts_at | default: "nine"}} to {{ends_at | default: "eleven"}}',
  sample: {
    outage_date: 'Saturday 22 March',
    starts_at: '21:00',
    ends_at: '23:00',
    before_percent: '87',
    away_percent: '8',
    still_works: 'Reading, search, everything already planned',
    waits: 'New uploads, until 23:00',
    status_url: 'https://example.com/status',
    company: 'Northlight',
    postal_address: 'Northlight, 5 Harbour Walk, Dundee DD1 4HN',
  },
}
