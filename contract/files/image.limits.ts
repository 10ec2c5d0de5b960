/** Limits of images and of stored files, known to server and browser; the unit is in the name. */

/** Largest image file, in bytes. */
export const imageMaxBytes = 20 * 1024 * 1024
/** Largest picture, in pixels, and largest number of frames of an animation. */
export const imageMaxPixels = 40_000_000
export const imageFramesMaxCount = 300

/** Widths that are served, in pixels; an image is never enlarged. */
export const imageWidths = [600, 1200, 2400] as const

/** Longest name and alternative text of an image, in characters. */
export const imageNameMaxChars = 200
export const imageAltMaxChars = 1000

/** Images and attachments of a workspace together, in bytes. */
export const storageMaxBytes = 1024 ** 3
