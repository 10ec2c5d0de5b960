import type { TemplateAbout } from '../template.ts'

export const eventInvitation: TemplateAbout = {
  slug: 'event-invitation',
  kind: 'marketing',
  category: 'Events',
  name: 'Event invitation',
  description: 'A printed card on claret: a double frame, the date in the middle, yes and no below.',
  subject: 'You are invited: {{event_name | default: "An evening with us"}}',
  sample: {
    first_name: 'Imani',
    event_name: 'The Long Supper',
    event_weekday: 'Thursday',
    event_day: '17',
    event_month: 'April 2025',
    event_time: '6.30 pm',
    venue: 'The Old Print Works',
    venue_address: '40 Canal Street, Bristol',
    reply_by: '7 April',
    accept_url: 'https://example.com/supper/yes',
    decline_url: 'https://example.com/supper/no',
  },
}
