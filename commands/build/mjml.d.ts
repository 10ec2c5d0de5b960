/** The part of mjml 5 used here; the package has no types of its own. */
declare module 'mjml' {
  export interface MjmlOptions {
    /** The path of the source file, to resolve its includes. */
    filePath?: string
    /** Additional folders for includes. */
    includePath?: string | readonly string[]
    ignoreIncludes?: boolean
    /** Web fonts to link, by family. */
    fonts?: Readonly<Record<string, string>>
    keepComments?: boolean
    /** `strict` throws for unknown elements and attributes. */
    validationLevel?: 'strict' | 'soft' | 'skip'
  }
  const mjml2html: (mjml: string, options?: MjmlOptions) => Promise<{ html: string }>
  // oxlint-disable-next-line sendwright/exports -- the package has a default export
  export default mjml2html
}
