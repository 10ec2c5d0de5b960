import type { TemplateAbout } from '../template.ts'

export const newsletterBroadsheet: TemplateAbout = {
  slug: 'newsletter-broadsheet',
  kind: 'marketing',
  category: 'Newsletters',
  name: 'Newsletter: broadsheet',
  description: 'Set like a newspaper: masthead, double rule, a lead in two columns, small notices at the end.',
  subject: 'The shop that stays open all night',
  sample: {
    newsletter_name: 'The Marrow Post',
    issue_number: 'No. 31',
    issue_date: 'March 2025',
    lead_url: 'https://example.com/lead',
    company: 'Marrow Books',
    postal_address: 'Marrow Books, 8 Lantern Row, Leeds LS1 5AB',
  },
}
