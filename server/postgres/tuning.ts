/**
 * Settings of the embedded server, given on its command line, where they win over postgresql.conf.
 * For a laptop that sends mail: few processes, little memory, nothing lost.
 */
const settings: Readonly<Record<string, string>> = {
  // A 2xx answer means that the row is on disk: these three are the promise.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  cluster_name: 'sendwright',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '100',
  shared_buffers: '128MB',
  // A queue turns its rows over: dead ones have to go before they slow the claims down.
  autovacuum_naptime: '5s',
  // Looking at a table takes a core away from whoever sends or accepts; 6,000 rows say what the planner needs to know.
  default_statistics_target: '20',
  // No replica reads this server's log, so it holds only what recovery needs.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  min_wal_size: '80MB',
  max_logical_replication_workers: '0',
  // Short statements on one disk gain nothing from helpers, and start faster without them.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // Errors of statements go to who sent them; in a log they would carry addresses and contents.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** For tests only: nothing waits for the disk, so a power cut would lose everything. */
const fastForTests: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

/** Arguments of `postgres`. `extra` wins over what stands here. */
export function serverArguments(
  cluster: string,
  isDurable: boolean,
  extra: Readonly<Record<string, string>>,
): string[] {
  const all = { ...settings, ...(isDurable ? {} : fastForTests), ...extra }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** A folder in the syntax of `unix_socket_directories`, a list in which blanks and commas separate. */
export function quoteFolder(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
