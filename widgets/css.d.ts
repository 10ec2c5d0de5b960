/** Text of a stylesheet, minified by the build (commands/build/css-text.ts). */
declare module '*.css' {
  export const css: string
}
