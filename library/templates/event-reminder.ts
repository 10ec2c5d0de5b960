import type { TemplateAbout } from '../template.ts'

export const eventReminder: TemplateAbout = {
  slug: 'event-reminder',
  kind: 'transactional',
  category: 'Events',
  name: 'Event reminder',
  description: 'A leaf of a tear-off calendar beside the door, the place and the way there.',
  subject: '{{event_name | default: "Our event"}} is {{days_away | default: "nearly here"}}',
  sample: {
    first_name: 'Imani',
    event_name: 'The Long Supper',
    days_away: 'on Thursday',
    event_weekday: 'Thursday',
    event_day: '17',
    event_month: 'April',
    event_time: '6.30 pm, supper at 7',
    venue: 'The Old Print Works, 40 Canal Street',
    directions: 'Tram 2 to Canal Street',
    calendar_url: 'https://example.com/supper.ics',
    release_url: 'https://example.com/supper/release',
  },
}
