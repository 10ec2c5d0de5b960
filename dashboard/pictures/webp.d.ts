declare module '*.webp' {
  /** Address of the picture. */
  export const href: string
}
