import type { TemplateAbout } from '../template.ts'

export const shippingNotice: TemplateAbout = {
  slug: 'shipping-notice',
  kind: 'transactional',
  category: 'Orders',
  name: 'Shipping notice',
  description: 'The parcel has left: its own label with a bar code, the day it arrives, how far it has come.',
  subject: 'On its way: {{order_number | default: "Your order"}}',
  sample: {
    order_number: 'Order 1042',
    recipient_name: 'Imani Okoro',
    delivery_address: '3 Orchard Lane, Bath BA1 2QH',
    delivery_date: 'Thursday 6 March',
    tracking_number: 'AF 4410 2277 93 GB',
    carrier: 'Tideway Post',
    tracking_url: 'https://example.com/track/4410227793',
  },
}
