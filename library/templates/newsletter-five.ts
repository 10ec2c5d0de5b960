import type { TemplateAbout } from '../template.ts'

export const newsletterFive: TemplateAbout = {
  slug: 'newsletter-five',
  kind: 'marketing',
  category: 'Newsletters',
  name: 'Newsletter: five things',
  description: 'Five links with a sentence each, counted in very large numerals on yellow.',
  subject: 'Five things: tabs, names, benches, a bakery, you',
  sample: {
    issue_number: 'No. 88',
    subscribe_url: 'https://example.com/subscribe',
    company: 'Northlight',
    postal_address: 'Northlight, 5 Harbour Walk, Dundee DD1 4HN',
  },
}
