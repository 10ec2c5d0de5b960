/** Routes of the segment calls. No shapes: browser code imports this file. */
export const listSegments = 'GET /email/segments'
export const createSegment = 'POST /email/segments'
export const previewSegment = 'POST /email/segments/preview'
export const getSegment = 'GET /email/segments/{id}'
export const updateSegment = 'PATCH /email/segments/{id}'
export const deleteSegment = 'DELETE /email/segments/{id}'
export const listContactSegments = 'GET /email/contacts/{id}/segments'
