import type { TemplateAbout } from '../template.ts'

export const abandonedBasket: TemplateAbout = {
  slug: 'abandoned-basket',
  kind: 'marketing',
  category: 'Orders',
  name: 'Abandoned basket',
  description: 'For people who left before paying: their things stand on a shelf, and nothing presses them.',
  subject: 'We kept them on the shelf for you',
  sample: {
    first_name: 'Imani',
    item_1: 'Stoneware jug, ash glaze',
    item_1_price: '£48.00',
    item_2: 'Two tumblers, celadon',
    item_2_price: '£36.00',
    basket_url: 'https://example.com/basket/82',
    held_until: 'Sunday evening',
    company: 'Kiln Street',
    postal_address: 'Kiln Street, 4 Potters Yard, Stoke ST1 3AA',
  },
}
