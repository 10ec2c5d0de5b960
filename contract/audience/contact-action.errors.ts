/** Error codes of bulk actions. */
export const contactActionErrors = {
  action_not_found: { status: 404, sentence: 'No action has this id.' },
  actions_running: { status: 409, sentence: 'Another action is running. Wait for its end, then start this one.' },
  undo_too_late: { status: 409, sentence: 'This action cannot be undone any more.' },
} as const
