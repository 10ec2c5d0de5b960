/** Error codes of lists. */
export const listErrors = {
  list_not_found: { status: 404, sentence: 'No list has this id.' },
  list_exists: { status: 409, sentence: 'A list has this name already. Choose another name.' },
  list_limit_reached: {
    status: 409,
    sentence: 'There are 10,000 lists already. Delete one before you create another.',
  },
} as const
