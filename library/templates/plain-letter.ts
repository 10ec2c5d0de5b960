import type { TemplateAbout } from '../template.ts'

export const plainLetter: TemplateAbout = {
  slug: 'plain-letter',
  kind: 'marketing',
  category: 'Relationships',
  name: 'Plain letter',
  description: 'Letterhead, date, three paragraphs, a signature: for news that should come from a person.',
  subject: 'We are closing on Mondays',
  sample: {
    first_name: 'Imani',
    letter_date: '4 March 2025',
    change_date: '1 April',
    tagline: 'Books, old and new, since 2014',
    sender_name: 'Hanna Marrow',
    sender_role: 'behind the counter',
    company: 'Marrow Books',
    postal_address: '8 Lantern Row, Leeds LS1 5AB',
  },
}
