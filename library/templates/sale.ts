import type { TemplateAbout } from '../template.ts'

export const sale: TemplateAbout = {
  slug: 'sale',
  kind: 'marketing',
  category: 'Promotions',
  name: 'Sale',
  description: 'A vermilion price tag with one enormous figure, a coupon to cut out, three shelves to go to.',
  subject: '{{discount | default: "30%"}} off everything, until {{ends_on | default: "Sunday at midnight"}}',
  sample: {
    discount: '30%',
    ends_on: 'Sunday at midnight',
    code: 'SUNDAY',
    sale_url: 'https://example.com/sale',
    company: 'Kiln Street',
    postal_address: 'Kiln Street, 4 Potters Yard, Stoke ST1 3AA',
  },
}
