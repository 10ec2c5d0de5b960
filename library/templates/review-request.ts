import type { TemplateAbout } from '../template.ts'

export const reviewRequest: TemplateAbout = {
  slug: 'review-request',
  kind: 'marketing',
  category: 'Orders',
  name: 'Review request',
  description: 'Asks for one honest sentence instead of stars: a quotation mark and an empty box to finish.',
  subject: 'How is {{product_name | default: "your order"}}, now that it is yours?',
  sample: {
    first_name: 'Imani',
    product_name: 'the walnut dip pen',
    time_since: 'three weeks',
    review_url: 'https://example.com/review/1042',
  },
}
