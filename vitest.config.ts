import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { preactInsteadOfReact, unusedParts } from './commands/build/aliases.ts'
import { cssText } from './commands/build/css-text.ts'

/** Long timeouts for a busy machine: they only detect hanging tests. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Chromium and the pages of each test compute beside it, so that more than these would only wait for each other. */
const withBrowser = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 1 } }

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
 * HTTP tests in which the kind of connection to the database can matter. All others send the same statements through the same
 * pool as these.
 */
const overTcp = [
  // COPY, and a child process that connects with what it was given.
  'server/http/imports/import.test.ts',
  // LISTEN on a connection of its own, also after the connection was lost.
  'server/http/hosted/*.test.ts',
  'server/http/messages/progress.test.ts',
  'server/http/statistics/statistics.test.ts',
  // Answers read by a cursor, and values of megabytes.
  'server/http/contacts/contact-export.test.ts',
  'server/http/attachments/attachment.test.ts',
  // Locks between sessions, and many connections at once.
  'server/http/core/{acceptance,idempotency}.test.ts',
  'server/http/campaigns/campaign-{fill,launch}.test.ts',
  // Accounts and mails from the call to the mail server.
  'server/http/accounts/account.test.ts',
  'server/http/messages/message.test.ts',
]

/**
 * `unit`: no child process. `react`, `preact`: widgets and screens in a simulated page; each widget test runs with both.
 * `browser`: the build, in a real Chromium. `server`: a real PostgreSQL on a socket, one per run. `server-tcp`: some HTTP tests
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
            'widgets/compose/{modes,preview}/**/*.test.ts',
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
          ...withBrowser,
          environment: 'node',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/support/browser.setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'server',
          sequence: { groupOrder: 2 },
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
          ...withBrowser,
          environment: 'node',
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/support/browser.setup.ts', 'tests/support/socket-postgres.setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'server-tcp',
          sequence: { groupOrder: 2 },
          environment: 'node',
          include: overTcp,
          globalSetup: ['tests/support/tcp-postgres.setup.ts'],
          ...timeouts,
        },
      },
    ],
  },
})
