/** The part of html-to-text 10 that is used here; the package has no types of its own. */
declare module 'html-to-text' {
  export interface HtmlToTextOptions {
    wordwrap?: number | false
    limits?: { maxDepth?: number; ellipsis?: string }
    selectors?: readonly { selector: string; format?: string; options?: Readonly<Record<string, unknown>> }[]
  }
  export function compile(options: HtmlToTextOptions): (html: string) => string
}
