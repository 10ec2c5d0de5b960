/** A page that the build wrote, as its `pages.json` lists it for the server. */
export interface PageEntry {
  /** As the route table writes it: `{…}` is one segment (spec §2). */
  path: string
  /** Its HTML, in the built folder. */
  file: string
  /** Whether `/sitemap.xml` names it. */
  isListed: boolean
}

/** What `pages.json` holds. */
export interface BuiltPages {
  pages: readonly PageEntry[]
  /** HTML of what is shown where no page is. */
  notFoundFile: string
  /** Files that browsers ask for at a fixed address, such as `/favicon.ico`: where they are in the built folder. */
  fixedFiles: Readonly<Record<string, string>>
}

/** Placeholder in the built HTML for the server's public address, without a trailing slash. */
export const publicUrlMark = '{{public_url}}'
