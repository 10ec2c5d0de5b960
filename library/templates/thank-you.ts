import type { TemplateAbout } from '../template.ts'

export const thankYou: TemplateAbout = {
  slug: 'thank-you',
  kind: 'marketing',
  category: 'Relationships',
  name: 'Thank-you',
  description: 'Two words as large as the page on fired clay, a short note, a name. Nothing to press.',
  subject: 'Thank you',
  sample: {
    first_name: 'Imani',
    product_name: 'the ash-glazed jug',
    sender_name: 'Tomas',
    sender_role: 'packing table two',
    company: 'Kiln Street',
    postal_address: 'Kiln Street, 4 Potters Yard, Stoke ST1 3AA',
  },
}
