/** Error codes of campaigns. */
export const campaignErrors = {
  campaign_not_found: { status: 404, sentence: 'No campaign has this id.' },
  campaign_state: { status: 409, sentence: 'The campaign’s state does not allow this.' },
  campaign_empty: { status: 409, sentence: 'The campaign has no recipients. Add some first.' },
  audience_broken: {
    status: 409,
    sentence: 'The audience refers to a field, a list or a segment that was deleted. Change the audience or its rules.',
  },
  campaign_has_recipients: {
    status: 409,
    sentence: 'The campaign has recipients, and each keeps its mailbox. Create a new campaign for other mailboxes.',
  },
  delivery_not_found: { status: 404, sentence: 'The campaign has no recipient with this id.' },
  tracking_off: {
    status: 409,
    sentence: 'Opens of this campaign are not recorded for each recipient, so recipients cannot be chosen by them.',
  },
  postal_address_missing: {
    status: 422,
    sentence: 'A campaign requires your postal address. Set it with PATCH /workspace first.',
  },
} as const
