import type { TemplateAbout } from '../template.ts'

export const newsletterMagazine: TemplateAbout = {
  slug: 'newsletter-magazine',
  kind: 'marketing',
  category: 'Newsletters',
  name: 'Newsletter: magazine',
  description: 'A cover with room for a picture (and whole without one), a list of contents, one large quotation.',
  subject: '{{newsletter_name | default: "Monthly"}}: a week without hurry',
  sample: {
    newsletter_name: 'Ember',
    issue_number: '12',
    issue_date: 'Spring 2025',
    cover_image_url: '',
    cover_url: 'https://example.com/cover',
    company: 'Ember Magazine',
    postal_address: 'Ember Magazine, 21 Foundry Lane, Glasgow G4 0LP',
  },
}
