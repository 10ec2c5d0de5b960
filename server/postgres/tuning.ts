/**
 * Settings of the embedded server, passed on its command line, where they override postgresql.conf.
 * For small machines: few processes, little memory, full durability.
 */
const settings: Readonly<Record<string, string>> = {
  // A 2xx answer guarantees that the row is on disk: these three settings ensure it.
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
  // Queue rows change often: dead tuples must be removed before they slow down claims.
  autovacuum_naptime: '5s',
  // ANALYZE competes with sending for CPU; a sample of 6,000 rows is enough for the planner.
  default_statistics_target: '20',
  // There are no replicas, so the WAL contains only what crash recovery needs.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  min_wal_size: '80MB',
  max_logical_replication_workers: '0',
  // Short statements on one disk gain nothing from worker processes and start faster without them.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // Statement errors go to the client; in the log they would contain addresses and contents.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** For tests only: without fsync a power failure would lose data. */
const fastForTests: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

/** Arguments of `postgres`. `extra` overrides these settings. */
export function serverArguments(
  cluster: string,
  isDurable: boolean,
  extra: Readonly<Record<string, string>>,
): string[] {
  const all = { ...settings, ...(isDurable ? {} : fastForTests), ...extra }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Quotes a folder for `unix_socket_directories`, a list separated by spaces and commas. */
export function quoteFolder(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
