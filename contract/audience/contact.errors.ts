/** Error codes of contacts and their fields. */
export const contactErrors = {
  contact_not_found: { status: 404, sentence: 'No contact has this id.' },
  field_not_found: { status: 404, sentence: 'No field has this number.' },
  contact_exists: { status: 409, sentence: 'A contact has this address already. Change that contact.' },
  field_exists: { status: 409, sentence: 'A field has this key already. Choose another key.' },
  field_limit_reached: { status: 409, sentence: 'There are 500 fields already. Delete one before you add another.' },
  field_in_use: { status: 409, sentence: 'Segments use this field. Change them first.' },
  field_unknown: { status: 422, sentence: 'The workspace has no field with this key. Create it first.' },
  field_value_invalid: { status: 422, sentence: 'The value does not fit the type of its field.' },
  contact_erased: {
    status: 422,
    sentence: 'The person with this address was erased. Only their own sign-up adds them again.',
  },
  contact_too_large: { status: 422, sentence: 'The values of a contact exceed 64 kB. Store less in them.' },
} as const
