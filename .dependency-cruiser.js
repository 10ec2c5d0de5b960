/** The walls of ARCHITECTURE.md: who may enter whom. */
const only = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: {
    path: '^(contract|client|widgets|dashboard|loader|server|library|commands|tests|bench|examples)/',
    pathNot: `${to}|^tests/`,
  },
})

const notTests = { pathNot: '\\.test\\.tsx?$' }

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or hide a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'tests-stay-tests',
      severity: 'error',
      comment: 'What ships imports no test and no test support.',
      from: { path: '^(contract|client|widgets|dashboard|loader|server|library|commands)/', ...notTests },
      to: { path: '(^tests/|^bench/|\\.test\\.tsx?$)' },
    },
    {
      name: 'no-dev-packages',
      severity: 'error',
      comment: 'What runs in production needs packages that production installs.',
      from: {
        path: '^(contract|client|server)/',
        pathNot: ['\\.test\\.tsx?$', '^server/store/(schema/|drizzle\\.config\\.ts$)'],
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-drizzle-at-run-time',
      severity: 'error',
      comment:
        'Tables and migrations are defined with it in development; stores send plain SQL and import row types only.',
      from: {
        path: '^',
        pathNot: ['^server/store/(schema/|drizzle\\.config\\.ts$)', '\\.test\\.tsx?$', '^node_modules/'],
      },
      to: { path: '(^server/store/schema/|node_modules/drizzle-orm/)', dependencyTypesNot: ['type-only'] },
    },
    only(
      'contract-imports-nothing-of-ours',
      '^contract/',
      '^contract/',
      'Both sides speak it, so it can know neither.',
    ),
    only('library-walls', '^library/', '^(library|contract)/', 'Templates are data; the build compiles them.'),
    {
      name: 'library-is-read-as-json',
      severity: 'error',
      comment: 'What the library holds is dist/library/index.json; only the build reads its sources.',
      from: { path: '^(?!library/|commands/build/|tests/)' },
      to: { path: '^library/' },
    },
    only(
      'client-walls',
      '^client/',
      '^(client|contract|tests)/',
      'The client speaks HTTP in the words of the contract.',
    ),
    {
      name: 'no-schema-library-in-the-browser',
      severity: 'error',
      comment: 'Browser rooms take types and constants from the contract, never its schema library.',
      from: { path: '^(client|widgets|dashboard|loader)/', ...notTests },
      to: {
        path: '^(contract/[^/]+/(account|config|embed|embed-session|google|health|hosted|message|operation|operations|paging|sessions|template)\\.ts$|node_modules/typebox/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    only('lib-walls', '^widgets/lib/', '^(widgets/lib|contract)/', 'Pure functions.'),
    only('kit-walls', '^widgets/kit/', '^widgets/(kit|lib)/', 'The kit knows no widget and no server.'),
    only(
      'store-walls',
      '^widgets/.+store\\.ts$',
      '^(client|contract|widgets/lib)/|^widgets/([^/]+)/',
      'A store decides; it draws nothing.',
    ),
    {
      name: 'widget-views-never-call',
      severity: 'error',
      comment: 'view → store → client: a view calls nothing itself.',
      from: { path: '^widgets/(?!kit/|lib/)[^/]+/', pathNot: ['store\\.ts$', '\\.test\\.tsx?$'] },
      to: { path: '^client/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-widget-in-a-widget',
      severity: 'error',
      comment: 'A widget opens another through its element, which is handed in.',
      from: { path: '^widgets/(?!kit/|lib/)([^/]+)/' },
      to: { path: '^widgets/(?!kit/|lib/)[^/]+/', pathNot: '^widgets/$1/' },
    },
    only('widget-walls', '^widgets/', '^(widgets|client|contract|tests)/', 'A widget runs in a page that is not ours.'),
    only(
      'dashboard-walls',
      '^dashboard/',
      '^(dashboard|widgets|client|contract|tests)/',
      'The dashboard arranges widgets.',
    ),
    {
      name: 'wouter-in-one-file',
      severity: 'error',
      comment: 'Routes stand in one file.',
      from: { path: '^(dashboard|widgets)/', pathNot: ['^dashboard/routes\\.tsx$', '\\.test\\.tsx?$'] },
      to: { path: 'node_modules/wouter/' },
    },
    only(
      'loader-walls',
      '^loader/',
      '^(loader|widgets|client|contract|tests)/',
      'What a page loads first, and the frame that widgets stand in there.',
    ),
    {
      name: 'loader-fetches-widgets',
      severity: 'error',
      comment: 'A widget comes when a page asks for it.',
      from: { path: '^loader/' },
      to: {
        path: '^widgets/(?!kit/|lib/)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
        pathNot: 'template-picker-element',
      },
    },
    only('domain-walls', '^server/domain/', '^(server/domain|contract)/', 'Pure rules.'),
    only(
      'usecase-walls',
      '^server/usecases/',
      '^(server/(usecases|domain|store|mailer|oidc)|contract|tests)/',
      'A use case declares the ports it needs.',
    ),
    {
      name: 'usecases-know-adapters-by-type',
      severity: 'error',
      comment: 'A port is a Pick of an adapter’s type; server/compose passes the adapter.',
      from: { path: '^server/usecases/', ...notTests },
      to: { path: '^server/(store|mailer|oidc)/', dependencyTypesNot: ['type-only'] },
    },
    only(
      'http-walls',
      '^server/http/',
      '^(server/(http|usecases|domain)|contract|tests)/',
      'parse → one use-case → answer.',
    ),
    only(
      'store-and-mailer-walls',
      '^server/(store|mailer|altcha|oidc|postgres)/',
      '^(server/(store|mailer|altcha|oidc|postgres|domain)|contract|tests)/',
      'Adapters know the domain, not each other’s callers.',
    ),
    {
      name: 'store-and-mailer-apart',
      severity: 'error',
      comment: 'Two adapters meet in server/main.ts.',
      from: { path: '^server/(store|mailer|altcha|oidc|postgres)/', ...notTests },
      to: { path: '^server/(store|mailer|altcha)/', pathNot: '^server/$1/' },
    },
    {
      name: 'postgres-and-oidc-below',
      severity: 'error',
      comment: 'The store starts PostgreSQL, the mailer signs in by OpenID; neither of the two knows an adapter.',
      from: { path: '^server/(postgres|oidc)/', ...notTests },
      to: { path: '^server/(postgres|oidc)/', pathNot: '^server/$1/' },
    },
    only(
      'server-walls',
      '^server/',
      '^(server|contract|tests)/',
      'The browser’s rooms and the server’s meet in contract only.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.css'],
    },
  },
}
