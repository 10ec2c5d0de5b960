import type { TemplateAbout } from '../template.ts'

export const receipt: TemplateAbout = {
  slug: 'receipt',
  kind: 'transactional',
  category: 'Orders',
  name: 'Receipt',
  description: 'A till roll with torn edges: up to five items (rows without a value vanish), total, how it was paid.',
  subject: 'Your receipt from {{company | default: "Your company"}}',
  sample: {
    order_number: '1042',
    ordered_at: '4 March, 18:20',
    item_1: 'Dip pen, walnut',
    item_1_price: '£14.00',
    item_2: 'Iron gall ink, 50 ml',
    item_2_price: '£9.50',
    item_3: 'Laid paper, 50 sheets',
    item_3_price: '£16.00',
    item_4: '',
    item_4_price: '',
    item_5: '',
    item_5_price: '',
    delivery_price: '£3.20',
    tax: '£7.90',
    total: '£50.60',
    payment_method: 'Card ending 4242',
    order_url: 'https://example.com/orders/1042',
  },
}
