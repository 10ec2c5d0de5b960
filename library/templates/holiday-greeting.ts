import type { TemplateAbout } from '../template.ts'

export const holidayGreeting: TemplateAbout = {
  slug: 'holiday-greeting',
  kind: 'marketing',
  category: 'Relationships',
  name: 'Holiday greeting',
  description: 'A tree of nine boughs on postal green, a thank-you without an offer, and when the doors reopen.',
  subject: 'Quiet days, and a bright new year',
  sample: { first_name: 'Imani', last_day: '20 December', back_on: '6 January' },
}
