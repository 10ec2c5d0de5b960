interface ImportMeta {
  readonly env: {
    /** Files that `core` and each widget start with, and the table of the others, by name: the entry first, each followed by its hash as `integrity` takes it. */
    readonly FILES: Readonly<Record<string, readonly string[]>>
    readonly VERSION: string
    /** What gives the modules that are in the loader's own file; null where none is. */
    readonly JOINED: Readonly<Record<string, (() => unknown) | undefined>> | null
    /** Where in the version's folder the files lie that it fetches; ends in a slash, or is empty. */
    readonly FOLDER: string
  }
}
