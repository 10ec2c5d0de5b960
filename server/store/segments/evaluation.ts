/**
 * Begins a transaction in which rules are evaluated: statements end after `timeoutMs`, and sets of up to some millions of contacts
 * are kept as hashes. Without the memory PostgreSQL searches such a set again for each contact.
 */
export const beginEvaluation = (timeoutMs: number): string =>
  `begin; set local statement_timeout = ${Math.trunc(timeoutMs)}; set local work_mem = '64MB'; set local hash_mem_multiplier = 4`
