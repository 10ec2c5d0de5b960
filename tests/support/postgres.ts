import { inject } from 'vitest'
import { createDatabase, type TestDatabase, type TestServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this run. */
    postgres: TestServer
  }
}

/** Creates a database of the test file's own, with the schema; `drop()` it in `afterAll`, with all connections closed. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres'))
}
