import type { TemplateAbout } from '../template.ts'

export const birthday: TemplateAbout = {
  slug: 'birthday',
  kind: 'marketing',
  category: 'Promotions',
  name: 'Birthday',
  description: 'A cake of two tiers with five candles, built of table cells, a wish, and a present to unwrap.',
  subject: 'Happy birthday, {{first_name | default: "you"}}',
  sample: {
    first_name: 'Imani',
    gift: '£10',
    gift_until: '30 April',
    gift_url: 'https://example.com/gift',
    company: 'Kiln Street',
    postal_address: 'Kiln Street, 4 Potters Yard, Stoke ST1 3AA',
  },
}
