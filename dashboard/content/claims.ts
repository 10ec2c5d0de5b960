/** Figures and offers that pages state (spec §1, §9). Operators set those that hold for their own service. */
export const claims = {
  uptime: '99.9%',
  businesses: '5,000+',
  emailsDelivered: '10M+',
  customers: '5K+',
  trial: { days: '14', emails: '1,000' },
  refundDays: '14',
} as const
