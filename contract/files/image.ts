import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import { imageAltMaxChars, imageNameMaxChars } from './image.limits.ts'
import * as routes from './image.routes.ts'

const Image = Type.Object({
  id: Type.String(),
  name: Type.String(),
  alt: Type.String({ description: 'Alternative text; may be empty' }),
  url: Type.String({ description: 'Public address of the largest width; `/{width}` at its end chooses another one' }),
  widths: Type.Array(Type.Integer(), { description: 'Widths that are served, in pixels, ascending' }),
  width: Type.Integer({ description: 'Pixels' }),
  height: Type.Integer({ description: 'Pixels' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** An image of the media library. */
export type Image = Static<typeof Image>

const name = Type.String({ minLength: 1, maxLength: imageNameMaxChars, description: 'Trimmed' })
const alt = Type.String({ maxLength: imageAltMaxChars, description: 'Alternative text' })
const ImageChanges = Type.Object({ name: Type.Optional(name), alt: Type.Optional(alt) })
export type ImageChanges = Static<typeof ImageChanges>

const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })
const images = { access: 'member', embed: { scope: 'images:write' } } as const

export const uploadImage = defineOperation({
  name: 'uploadImage',
  summary: 'Add an image: the file as the body; the same file is kept once',
  ...routeOf(routes.uploadImage),
  ...images,
  permission: 'images:write',
  query: Type.Object({ name, alt: Type.Optional(alt) }),
  bodyMedia: ['application/octet-stream'],
  answers: { 201: { description: 'The image.', body: Image } },
  errors: ['image_too_large', 'image_refused', 'storage_full'],
})

export const listImages = defineOperation({
  name: 'listImages',
  summary: 'The images of the workspace, newest first',
  ...routeOf(routes.listImages),
  ...images,
  permission: 'images:read',
  query: Type.Object({
    ...CursorPaging,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only those in whose name or alternative text it occurs' }),
    ),
  }),
  answers: pageAnswer('The images.', Image, 'How many match'),
})

export const updateImage = defineOperation({
  name: 'updateImage',
  summary: 'Rename an image or change its alternative text; mails already written keep theirs',
  ...routeOf(routes.updateImage),
  ...images,
  permission: 'images:write',
  params: byId,
  body: ImageChanges,
  answers: { 200: { description: 'Changed.', body: Image } },
  errors: ['image_not_found'],
})

export const deleteImage = defineOperation({
  name: 'deleteImage',
  summary: 'Remove an image from the library; its address keeps answering, unless it is removed from the web',
  ...routeOf(routes.deleteImage),
  access: 'member',
  permission: 'images:write',
  params: byId,
  query: Type.Object({
    from_web: Type.Optional(
      Type.Boolean({ default: false, description: 'Also stop its address: mails already sent show no image any more' }),
    ),
  }),
  answers: { 204: { description: 'Deleted.' } },
  errors: ['image_not_found'],
})

export const getImageFile = defineOperation({
  name: 'getImageFile',
  summary: 'The image as mails show it, in the given width or the next larger one',
  ...routeOf(routes.getImageFile),
  access: 'public',
  caller: 'page',
  params: Type.Object({ key: Type.String({ maxLength: 64 }), width: Type.String({ maxLength: 8 }) }),
  answers: { 200: { description: 'JPEG, PNG or GIF.', media: 'image/*', body: Type.String() } },
  errors: ['not_found'],
})
