import { defineConfig } from 'vitest/config'

/** `unit`: no process beside the tests'. `server`: a real PostgreSQL, one for the run. */
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
    ],
  },
})
