import type { TemplateAbout } from '../template.ts'

export const webinar: TemplateAbout = {
  slug: 'webinar',
  kind: 'marketing',
  category: 'Events',
  name: 'Webinar',
  description: 'A screen that is already on, and the hour ahead minute by minute.',
  subject: 'Live: {{talk_title | default: "An hour of answers"}}',
  sample: {
    first_name: 'Imani',
    talk_title: 'Writing emails that people finish',
    speaker: 'Ruth Adeyemi',
    starts_at: 'Wed 19 March, 15:00 GMT',
    register_url: 'https://example.com/live/register',
    company: 'Northlight',
    postal_address: 'Northlight, 5 Harbour Walk, Dundee DD1 4HN',
  },
}
