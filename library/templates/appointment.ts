import type { TemplateAbout } from '../template.ts'

export const appointment: TemplateAbout = {
  slug: 'appointment',
  kind: 'transactional',
  category: 'Events',
  name: 'Appointment',
  description: 'An appointment card: the time as large as it goes, dotted lines for who, where and what to bring.',
  subject: 'Confirmed: {{appointment_time | default: "Soon"}}, {{appointment_date | default: "on the day we agreed"}}',
  sample: {
    first_name: 'Imani',
    appointment_time: '10:30',
    appointment_date: 'Tuesday 8 April',
    service: 'eye test',
    staff_name: 'Dr Lena Moss',
    address: '17 Mill Lane, first floor',
    bring: 'your old glasses',
    change_until: 'Monday, 10:30',
    calendar_url: 'https://example.com/visit.ics',
    change_url: 'https://example.com/visit/change',
    cancel_url: 'https://example.com/visit/cancel',
    company: 'Moss & Daughter Opticians',
    postal_address: 'Moss & Daughter, 17 Mill Lane, York YO1 7EP',
  },
}
