/** Error codes of templates and drafts. */
export const templateErrors = {
  template_not_found: { status: 404, sentence: 'No template has this id.' },
  templates_full: { status: 409, sentence: 'There are 10,000 templates already. Delete one before you save another.' },
  drafts_full: { status: 409, sentence: 'There are 200 drafts already. Delete one before you save another.' },
} as const
