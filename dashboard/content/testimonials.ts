export interface Testimonial {
  quote: string
  role: string
  company: string
  initials: string
  /** Of 5. */
  rating: number
}

/** Without names; operators replace them with their own customers' words. */
export const testimonials: readonly Testimonial[] = [
  {
    quote: 'Our readers answer the newsletter now. It comes from the address they always wrote to.',
    role: 'Head of Marketing',
    company: 'Northwind Galleries',
    initials: 'NG',
    rating: 5,
  },
  {
    quote: 'I pasted the line into our shop on a Friday afternoon. Order mails have gone through it ever since.',
    role: 'Lead Developer',
    company: 'Fieldnote Supply',
    initials: 'FS',
    rating: 5,
  },
  {
    quote: 'When somebody asks whether the invitation went out, I look at one row and know.',
    role: 'Events Manager',
    company: 'Harbour Hall',
    initials: 'HH',
    rating: 5,
  },
  {
    quote: 'No new domain to warm up, no DNS to learn. We connected the mailbox and wrote to our members.',
    role: 'Secretary',
    company: 'Riverside Rowing Club',
    initials: 'RR',
    rating: 5,
  },
  {
    quote: 'The server went down in the middle of a send. It came back and went on with the next name on the list.',
    role: 'Operations',
    company: 'Kiln & Co',
    initials: 'KC',
    rating: 5,
  },
  {
    quote:
      'Templates that our whole team shares, without the risk that one of us sends the work of another by mistake.',
    role: 'Owner',
    company: 'Linden Books',
    initials: 'LB',
    rating: 5,
  },
]
