/** Error codes of templates and drafts. */
export const templateErrors = {
  template_not_found: { status: 404, sentence: 'No template has this id.' },
  version_not_found: { status: 404, sentence: 'This template has no such version. The last 50 versions are kept.' },
  templates_full: { status: 409, sentence: 'There are 10,000 templates already. Delete one before you save another.' },
  drafts_full: { status: 409, sentence: 'There are 200 drafts already. Delete one before you save another.' },
  revision_conflict: {
    status: 409,
    sentence:
      'This was saved by someone else in the meantime. Load it again and apply your change to the newer version.',
  },
  design_and_body: {
    status: 422,
    sentence: 'Send a design or a body, not both: the server renders the body of a design.',
  },
  design_invalid: { status: 422, sentence: 'The design is not valid. Each item names a part of it and the rule.' },
} as const
