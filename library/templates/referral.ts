import type { TemplateAbout } from '../template.ts'

export const referral: TemplateAbout = {
  slug: 'referral',
  kind: 'marketing',
  category: 'Promotions',
  name: 'Referral',
  description: 'A ticket in two colours, perforated down the middle: one half for the reader, one for a friend.',
  subject: 'One ticket, two halves',
  sample: {
    first_name: 'Imani',
    reward: '£10',
    referral_code: 'IMANI-7Q2',
    referral_url: 'https://example.com/refer/imani',
    valid_for: 'a year',
  },
}
