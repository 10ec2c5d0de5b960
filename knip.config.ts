import type { KnipConfiguration } from 'knip'

/** Exports that only tests call, by file, each with the reason why it ships: the row of the specification that names it. */
const testedOnly = {
  'client/account/account.ts': { signIn: 'LOGIN-11: the sign-in form calls signInWithProof; both become one' },
  'client/hosted/hosted.ts': {
    getDocument: 'HOSTED-05',
    createDocument: 'HOSTED-06',
    updateDocument: 'HOSTED-07',
    deleteDocument: 'HOSTED-08',
    updateHostedUser: 'HOSTED-17, HOSTED-23',
  },
  'client/mail/message.ts': { sendMailWithKeyApi: 'API-EMAIL-38' },
  'client/mail/template.ts': { deleteAllTemplates: 'API-EMAIL-36' },
}

/**
 * The check runs twice. As it is: tests and benchmarks are entry points, and their own unused exports and packages are found.
 * With `--production`: only patterns that end in `!` count, so that shipped code which only tests use is found too.
 */
const config: KnipConfiguration = {
  entry: [
    'commands/*.{js,ts}!',
    'server/main.ts!',
    'server/import-process.ts!',
    'server/store/schema/**/*.ts!',
    'server/store/drizzle.config.ts!',
    'dashboard/{main.tsx,prerender.tsx,first-paint.ts}!',
    'bench/{main,compare/main}.ts',
    'examples/{run.ts,react/app.tsx,hosted-data/app.ts}!',
    'loader/loader.ts!',
    'loader/element/frame.ts!',
    'loader/lazy-import.ts!',
    'widgets/kit/shadow/slim-shadow.tsx!',
    'bench/engine/sink-process.ts',
    'commands/build/empty-module.ts!',
    'tests/gallery/*.{ts,tsx}',
    'tests/support/*.setup.ts',
    'tests/support/hooks/*.ts',
    'tests/support/{embedded-host,postgres-reaper,sink-process,smtp-sink-process}.ts',
  ],
  project: ['**/*.{ts,tsx,js}!', '!{tests,bench}/**!', '!**/*.test.{ts,tsx}!', '!knip.*!'],
  // The build imports rollup.config.ts as any other module.
  rollup: false,
  preprocessor: './knip.exceptions.config.ts',
  preprocessorOptions: { testedOnly },
  ignoreBinaries: ['dovecot'],
  ignoreDependencies: [
    '@fontsource-variable/.+',
    '@preact/compat',
    'preact',
    'bootstrap',
    'htmx.org',
    '@(tailwindcss|calcom|typeform)/.+',
    '@tanstack/virtual-core',
    '@tiptap/(core|pm)',
    'mailauth',
    // commands/verify.ts runs its compiler.
    'typescript-native',
  ],
  ignoreExportsUsedInFile: true,
}

export default config
