declare const brand: unique symbol

/**
 * The data that a caller may reach. It is the first parameter of every store function on a tenant table, and only
 * `authorize` constructs it (a lint rule refuses any other cast), so no statement runs without a decision.
 */
export interface Scope {
  readonly workspaceId: string
  /** Ids of the lists that the caller is limited to. Until members have roles, always `all`. */
  readonly lists: 'all' | readonly string[]
  /** Ids of the mailboxes that the caller is limited to. Until members have roles, always `all`. */
  readonly mailboxes: 'all' | readonly string[]
  readonly [brand]: true
}

/**
 * The data of all workspaces: for background tasks, operator commands and the batches of the send engine. Their statements
 * look for due work, or name the workspace of each row. Only `authorizeAll` constructs it.
 */
export interface SystemScope {
  readonly workspaces: 'all'
  readonly [brand]: true
}

/** A store whose functions have their scope. */
export type Bound<T> = {
  [K in keyof T]: T[K] extends (scope: SystemScope, ...rest: infer R) => infer O ? (...rest: R) => O : never
}

/** The functions of a store with their first parameter, the scope, already given. */
export function bindScope<T extends object>(store: T, scope: SystemScope): Bound<T> {
  const bound = Object.entries(store).map(([name, run]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...rest: unknown[]) => run.call(store, scope, ...rest),
  ])
  return Object.fromEntries(bound) as Bound<T>
}
