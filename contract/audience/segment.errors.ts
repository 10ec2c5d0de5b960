/** Error codes of segments. */
export const segmentErrors = {
  segment_not_found: { status: 404, sentence: 'No segment has this id.' },
  segment_exists: { status: 409, sentence: 'A segment has this name already. Choose another name.' },
  segment_in_use: { status: 409, sentence: 'Other segments refer to this one. Change them first.' },
  segment_limit_reached: {
    status: 409,
    sentence: 'There are 1,000 segments already. Delete one before you create another.',
  },
  segment_live_limit_reached: {
    status: 409,
    sentence: '50 segments are kept up to date already. Turn this off for one of them first.',
  },
  segment_rule_invalid: { status: 422, sentence: 'The rule is not valid. Change the conditions that are named.' },
  segment_cycle: { status: 422, sentence: 'The rule leads back to its own segment. Remove the reference.' },
} as const
