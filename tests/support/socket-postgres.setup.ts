import type { TestProject } from 'vitest/node'
import { startSocketPostgres } from './postgres-server.ts'

/** One PostgreSQL on a unix socket for all files of a project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...server } = await startSocketPostgres()
  project.provide('postgres', server)
  return stop
}
