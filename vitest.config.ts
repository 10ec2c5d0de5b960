import { defineConfig } from 'vitest/config'

/** Real processes start in these: more patience than for a function. */
const patience = { testTimeout: 30_000, hookTimeout: 60_000 }

/**
 * `unit`: no process beside the tests'. `server`: a real PostgreSQL on a socket, one for the run. `server-tcp`: the
 * calls once more on one that is reached as DATABASE_URL is.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'contract/**/*.test.ts',
            'client/**/*.test.ts',
            'server/{domain,mailer}/**/*.test.ts',
            'commands/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          include: [
            'server/{store,usecases,http}/**/*.test.ts',
            'server/*.test.ts',
            'tests/{sending,crash}/**/*.test.ts',
          ],
          globalSetup: ['tests/support/socket-postgres.setup.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'server-tcp',
          environment: 'node',
          include: ['server/http/**/*.test.ts'],
          globalSetup: ['tests/support/tcp-postgres.setup.ts'],
          ...patience,
        },
      },
    ],
  },
})
