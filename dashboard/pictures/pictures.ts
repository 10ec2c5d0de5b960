import { href as connectDark } from './connect-dark.webp'
import { href as connectLight } from './connect-light.webp'
import { href as followedDark } from './followed-dark.webp'
import { href as followedLight } from './followed-light.webp'
import { href as homeDark } from './home-dark.webp'
import { href as homeLight } from './home-light.webp'
import { href as writeDark } from './write-dark.webp'
import { href as writeLight } from './write-light.webp'

/** Size of every picture, in CSS pixels; `npm run pictures` makes them of the running product. */
const size = { width: 1200, height: 750 } as const

/** Pictures of the product's own screens, in both schemes. */
export const pictures = {
  connect: { light: connectLight, dark: connectDark, ...size },
  write: { light: writeLight, dark: writeDark, ...size },
  followed: { light: followedLight, dark: followedDark, ...size },
  home: { light: homeLight, dark: homeDark, ...size },
} as const

export type PictureName = keyof typeof pictures
