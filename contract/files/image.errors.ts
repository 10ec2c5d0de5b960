/** Error codes of images and of stored files. */
export const imageErrors = {
  image_not_found: { status: 404, sentence: 'No image has this id.' },
  image_too_large: { status: 413, sentence: 'The image is larger than 20 MB. Choose a smaller one.' },
  image_refused: {
    status: 422,
    sentence: 'This file cannot be used as an image. Choose a JPEG, PNG, GIF, WebP or AVIF.',
  },
  storage_full: {
    status: 422,
    sentence: 'The images and attachments of the workspace take 1 GB together. Remove some from the web first.',
  },
} as const
