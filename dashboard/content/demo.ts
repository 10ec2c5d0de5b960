/** The message and the mailbox of the composer on the landing page. */
export const demoMailbox = 'studio@northwind.example'

export const demoDraft = {
  subject: 'Doors open Thursday, {{first_name}}',
  messageBody: [
    '<h2>The autumn show</h2>',
    '<p>Dear {{first_name}},</p>',
    '<p>we kept two places for you. The new galleries open at six; the talk begins at seven.</p>',
    '<p><a href="https://northwind.example/rsvp" style="background:#0f6b4f;color:#fff;padding:10px 20px;border-radius:6px;text-decoration:none">Keep my places</a></p>',
  ].join('\n'),
  context: { first_name: 'friend' },
  recipients: ['visitor-1@example.org', 'visitor-2@example.org', 'front desk'],
} as const

/** Shown after a simulated send instead of 'Email sent successfully to 2 recipients'. */
export const demoAnswer = 'Simulated: no mail was sent from this page.'
