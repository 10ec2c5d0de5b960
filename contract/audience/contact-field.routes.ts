/** Routes of the calls for custom fields. No shapes: browser code imports this file. */
export const listContactFields = 'GET /email/contact-fields'
export const listFieldValues = 'GET /email/contact-fields/{field}/values'
export const createContactField = 'POST /email/contact-fields'
export const updateContactField = 'PATCH /email/contact-fields/{no}'
export const deleteContactField = 'DELETE /email/contact-fields/{no}'
