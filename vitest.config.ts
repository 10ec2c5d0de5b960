import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { preactInsteadOfReact, unusedParts } from './commands/build/aliases.ts'
import { cssText } from './commands/build/css-text.ts'

/** Long timeouts for a busy machine: they only detect hanging tests. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** The groups of projects, which run one after another: fast checks first, tests that stop and kill processes alone at the end. */
const groups = { fast: 0, server: 1, browser: 2, process: 3 }

/** Tests on a server wait for it half of their time. */
const waitingWorkers = Math.ceil(1.5 * availableParallelism())

/** Tests in a page or of processes wait for what others compute: a second attempt counts, and is listed under `unsteady`. */
const retried = { retry: 1 }

/**
 * Node loads the modules itself, as it does in production, once for all files of a worker: nothing of ours needs a transformation
 * on a server, and no test replaces a module.
 */
const native = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } }

const newNoun = 'tests/contract/new-noun.test.ts'

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
      setupFiles: ['tests/support/hooks/page-console.ts'],
      ...timeouts,
      server: { deps: { inline: [/react-shadow|valtio|lucide-react|wouter/] } },
    },
  }
}

/**
 * `unit`: no child process. `react`, `preact`: widgets and screens in a simulated page; each widget test runs with both.
 * `server`: a real PostgreSQL on a socket. `browser`: the build, in a real Chromium. `journeys`: the real server in a browser.
 * `process`: processes that are started, stopped and killed. One PostgreSQL and one Chromium serve the whole run.
 */
export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          ...native,
          include: [
            'contract/**/*.test.ts',
            'mail-design/**/*.test.ts',
            'client/**/*.test.ts',
            'loader/**/*.test.ts',
            'dashboard/**/*.test.ts',
            'widgets/lib/**/*.test.ts',
            'server/{domain,mailer,tracking,inbox,sandbox}/**/*.test.ts',
            'widgets/compose/{modes,preview}/**/*.test.ts',
            '{bench,commands}/**/*.test.ts',
          ],
          ...timeouts,
        },
      },
      { test: { name: 'guards', environment: 'node', include: ['tests/guards/**/*.test.ts'], ...native, ...timeouts } },
      widgets('react', ['widgets/**/*.test.tsx', 'dashboard/**/*.test.tsx'], {}),
      widgets('preact', ['widgets/**/*.test.tsx'], preactInsteadOfReact),
      {
        test: {
          name: 'server',
          sequence: { groupOrder: groups.server },
          maxWorkers: waitingWorkers,
          environment: 'node',
          ...native,
          include: [
            'server/{store,usecases,http,postgres,oidc}/**/*.test.ts',
            'server/*.test.ts',
            'tests/{support,contract,database,sending,hosted,tracking}/**/*.test.ts',
          ],
          exclude: [newNoun],
          globalSetup: ['tests/support/postgres.setup.ts'],
          setupFiles: ['tests/support/hooks/embedded.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          // Imports screens of a copy of the project, which Node cannot load itself.
          name: 'noun',
          sequence: { groupOrder: groups.server },
          maxWorkers: waitingWorkers,
          environment: 'node',
          include: [newNoun],
          globalSetup: ['tests/support/postgres.setup.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: groups.browser },
          environment: 'node',
          ...native,
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/support/browser.setup.ts'],
          setupFiles: ['tests/support/hooks/browser.ts'],
          ...retried,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'journeys',
          sequence: { groupOrder: groups.browser },
          environment: 'node',
          ...native,
          include: ['tests/journeys/**/*.test.ts'],
          globalSetup: ['tests/support/browser.setup.ts', 'tests/support/postgres.setup.ts'],
          setupFiles: ['tests/support/hooks/browser.ts'],
          ...retried,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'process',
          sequence: { groupOrder: groups.process },
          environment: 'node',
          ...native,
          include: ['tests/{process,crash,operating}/**/*.test.ts'],
          globalSetup: ['tests/support/postgres.setup.ts'],
          setupFiles: ['tests/support/hooks/embedded.ts'],
          ...retried,
          ...timeouts,
        },
      },
    ],
  },
})
