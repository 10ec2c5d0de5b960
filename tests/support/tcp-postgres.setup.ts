import type { TestProject } from 'vitest/node'
import { startTcpPostgres } from './postgres-server.ts'

/** One PostgreSQL by TCP for all files of a project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...server } = await startTcpPostgres()
  project.provide('postgres', server)
  return stop
}
