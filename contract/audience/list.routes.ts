/** Routes of the list calls. No shapes: browser code imports this file. */
export const listLists = 'GET /email/lists'
export const createList = 'POST /email/lists'
export const getList = 'GET /email/lists/{id}'
export const updateList = 'PATCH /email/lists/{id}'
export const deleteList = 'DELETE /email/lists/{id}'
