/** Error codes of saved blocks. */
export const savedBlockErrors = {
  block_not_found: { status: 404, sentence: 'No saved block has this id.' },
  blocks_full: { status: 409, sentence: 'There are 500 saved blocks already. Delete one before you save another.' },
} as const
