/** Routes of the image calls, for their operations and the client. No shapes: browser code imports this file. */
export const uploadImage = 'POST /email/images'
export const listImages = 'GET /email/images'
export const updateImage = 'PATCH /email/images/{id}'
export const deleteImage = 'DELETE /email/images/{id}'
export const getImageFile = 'GET /i/{key}/{width}'
