import type { Image } from '../../../contract/files/image.ts'

/** An image of the library, as far as screens show it. */
export type LibraryImage = Omit<Image, 'widths'>

/** An image as a message shows it. */
export interface ChosenImage {
  /** Address with twice the pixels of `width`, where there are as many. */
  src: string
  alt: string
  /** CSS pixels in the message, at most 600. */
  width: number
  height: number
}

const shownMaxWidth = 600

/** What the address of an image ends with that is put into the mail, in place of a link to it. */
const attachedMark = '#attached'

/** `isAttached`: the mail contains the image, and shows it without a request. */
export function chooseImage(image: Pick<Image, 'url' | 'width' | 'height' | 'alt'>, isAttached = false): ChosenImage {
  const width = Math.min(image.width, shownMaxWidth)
  const height = Math.max(1, Math.round((image.height * width) / image.width))
  const address = widthOf(image.url, Math.min(image.width, 2 * shownMaxWidth))
  return { src: isAttached ? address + attachedMark : address, alt: image.alt, width, height }
}

/** The address of an image in another width, in pixels. */
export const widthOf = (url: string, width: number) => `${url.slice(0, url.lastIndexOf('/'))}/${width}`

/** What a file input offers. */
export const acceptedImages = 'image/jpeg,image/png,image/gif,image/webp,image/avif'

/**
 * The images among pasted or dropped files. Empty where the data also has text that says more than the picture, as from a
 * word processor.
 */
export function imageFilesOf(data: DataTransfer | null): File[] {
  if (data === null) return []
  const files = Array.from(data.files).filter(({ type }) => type.startsWith('image/'))
  return data.types.includes('text/html') && data.types.includes('text/rtf') ? [] : files
}

/** An image as HTML code for a mail. */
export function imageHtml({ src, alt, width }: ChosenImage): string {
  const text = (value: string) => value.replace(/[&<>"{}]/g, (found) => `&#${found.charCodeAt(0)};`)
  return `<img src="${text(src)}" alt="${text(alt)}" width="${width}" style="border: 0; height: auto; max-width: 100%">`
}
