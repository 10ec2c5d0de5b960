import type { TestProject } from 'vitest/node'
import { startSocketPostgres, startTcpPostgres } from './postgres-server.ts'
import { shareInRun } from './shared-in-run.ts'

/**
 * One PostgreSQL for all files of a run: on a unix socket, or under `npm run soak -- tcp` on 127.0.0.1. Returns its teardown.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const start = process.env['SENDWRIGHT_TESTS_OVER'] === 'tcp' ? startTcpPostgres : startSocketPostgres
  const { value, release } = await shareInRun('postgres', start)
  const { stop: _, ...server } = value
  project.provide('postgres', server)
  return release
}
