import { pgTable } from 'drizzle-orm/pg-core'

/**
 * How a table is distributed over shards. `tenant`: by `workspace_id`, with the other tables of the workspace; every key
 * begins with it. `reference`: a copy on each shard. `local`: on the coordinator.
 */
export type TableClass = 'tenant' | 'reference' | 'local'

// oxlint-disable-next-line sendwright/module-state -- filled as the schema is loaded
const classes: Record<string, TableClass> = {}

/** Every table that the loaded files of the schema define. */
export const tableClasses: Readonly<Record<string, TableClass>> = classes

const classed = (tableClass: TableClass) =>
  ((name: string, ...rest: never) => {
    classes[name] = tableClass
    return (pgTable as (name: string, ...rest: never) => unknown)(name, ...rest)
  }) as unknown as typeof pgTable

/** Defines a table whose rows belong to workspaces; `workspaces` itself is distributed by its `id`. */
export const tenantTable = classed('tenant')
export const referenceTable = classed('reference')
export const localTable = classed('local')
