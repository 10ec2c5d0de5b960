import type { TemplateAbout } from '../template.ts'

export const productLaunch: TemplateAbout = {
  slug: 'product-launch',
  kind: 'marketing',
  category: 'Promotions',
  name: 'Product launch',
  description: 'The new thing in a tunnel of light, its picture or only its name; three figures, one button.',
  subject: '{{product_name | default: "It is here"}}: a lamp that knows when to stop',
  sample: {
    product_name: 'Dusk One',
    product_image_url: '',
    product_url: 'https://example.com/dusk-one',
    price: '£140',
    first_batch: '500',
    ships_on: '2 April',
    company: 'Northlight',
    postal_address: 'Northlight, 5 Harbour Walk, Dundee DD1 4HN',
  },
}
