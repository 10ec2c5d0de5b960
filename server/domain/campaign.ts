/** Where a campaign stands. Only what belongs to one that is `sending` leaves the queue. */
export type CampaignStatus = 'draft' | 'scheduled' | 'sending' | 'paused' | 'finished' | 'cancelled' | 'failed'
