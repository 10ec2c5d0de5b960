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
