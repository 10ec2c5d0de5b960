import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { preactInsteadOfReact, unusedParts } from './commands/build/aliases.ts'
import { cssText } from './commands/build/css-text.ts'

/** Long timeouts for a busy machine: they only detect hanging tests. */
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 40_000 } } }

/** Widgets in a simulated page, with one of the two renderers. Packages are inlined so that the aliases apply to them. */
function widgets(name: string, include: string[], aliases: Readonly<Record<string, string>>) {
  return {
    plugins: [cssText()],
    resolve: {
      alias: Object.entries({ ...unusedParts, ...aliases }).map(([find, replacement]) => ({
        find: new RegExp(`^${find}$`),
        replacement,
      })),
    },
    test: {
      name,
      include,
      environment: 'happy-dom',
      environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
      ...timeouts,
      server: { deps: { inline: [/react-shadow|valtio|lucide-react|wouter/] } },
    },
  }
}

/**
 * `unit`: no child process. `react`, `preact`: widgets and screens in a simulated page; each widget test runs with both.
 * `browser`: the build, in a real Chromium. `server`: a real PostgreSQL on a socket, one per run. `server-tcp`: the HTTP tests
 * again on one that is reached through DATABASE_URL. `journeys`: the real server in a browser. The first four are fast and run
 * first.
 */
export default defineConfig({
  test: {
    // Tests of processes, servers and browsers wait more than they compute.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'contract/**/*.test.ts',
            'mail-design/**/*.test.ts',
            'client/**/*.test.ts',
            'loader/**/*.test.ts',
            'dashboard/**/*.test.ts',
            'widgets/lib/**/*.test.ts',
            'server/{domain,mailer,tracking,inbox,sandbox}/**/*.test.ts',
            'widgets/compose/modes/**/*.test.ts',
            'commands/**/*.test.ts',
          ],
          ...timeouts,
        },
      },
      { test: { name: 'guards', environment: 'node', include: ['tests/guards/**/*.test.ts'], ...timeouts } },
      widgets('react', ['widgets/**/*.test.tsx', 'dashboard/**/*.test.tsx'], {}),
      widgets('preact', ['widgets/**/*.test.tsx'], preactInsteadOfReact),
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/support/browser.setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'server',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: [
            'server/{store,usecases,http,postgres,oidc}/**/*.test.ts',
            'server/*.test.ts',
            'tests/{support,contract,sending,process,crash,hosted,operating,tracking}/**/*.test.ts',
          ],
          globalSetup: ['tests/support/socket-postgres.setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'journeys',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/support/browser.setup.ts', 'tests/support/socket-postgres.setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'server-tcp',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['server/http/**/*.test.ts'],
          // They use the database little, and wait long.
          exclude: ['**/{app,config-change,google,json-body,metrics,pages,sign-in-limits,signed-cookie}.test.ts'],
          globalSetup: ['tests/support/tcp-postgres.setup.ts'],
          ...timeouts,
        },
      },
    ],
  },
})
