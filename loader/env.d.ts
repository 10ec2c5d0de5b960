interface ImportMeta {
  readonly env: {
    /** Files that `core` and each widget start with, and the table of the others, by name: the entry first, each followed by its hash as `integrity` takes it. */
    readonly FILES: Readonly<Record<string, readonly string[]>>
    readonly VERSION: string
  }
}
