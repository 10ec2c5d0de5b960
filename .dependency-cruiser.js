/** The dependency rules of ARCHITECTURE.md. */
const only = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: {
    path: '^(contract|mail-design|client|widgets|dashboard|loader|server|library|commands|tests|bench|examples)/',
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
      comment: 'Merge two files that import each other, or extract a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'An unresolvable import.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'tests-stay-tests',
      severity: 'error',
      comment: 'Shipped code must not import tests or test support.',
      from: { path: '^(contract|mail-design|client|widgets|dashboard|loader|server|library|commands)/', ...notTests },
      to: { path: '(^tests/|^bench/|\\.test\\.tsx?$)' },
    },
    {
      name: 'no-dev-packages',
      severity: 'error',
      comment: 'Production code may import only production dependencies.',
      from: {
        path: '^(contract|mail-design|client|server)/',
        pathNot: ['\\.test\\.tsx?$', '^server/store/(schema/|drizzle\\.config\\.ts$)'],
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-drizzle-at-run-time',
      severity: 'error',
      comment: 'drizzle defines tables and migrations in development only; stores send plain SQL and import row types.',
      from: {
        path: '^',
        pathNot: ['^server/store/(schema/|drizzle\\.config\\.ts$)', '\\.test\\.tsx?$', '^tests/', '^node_modules/'],
      },
      to: { path: '(^server/store/schema/|node_modules/drizzle-orm/)', dependencyTypesNot: ['type-only'] },
    },
    only('contract-imports-nothing-of-ours', '^contract/', '^contract/', 'Shared by both sides: it imports neither.'),
    only(
      'mail-design-imports',
      '^mail-design/',
      '^(mail-design|contract)/',
      'Pure: the browser and the server render a design with the same functions.',
    ),
    only('library-imports', '^library/', '^(library|contract)/', 'Templates are data; the build compiles them.'),
    {
      name: 'library-is-read-as-json',
      severity: 'error',
      comment: 'Only the build reads the sources of the library; other code reads dist/library/index.json.',
      from: { path: '^(?!library/|commands/build/|tests/)' },
      to: { path: '^library/' },
    },
    only('client-imports', '^client/', '^(client|contract|tests)/', 'The client calls the contract over HTTP.'),
    {
      name: 'no-schema-library-in-the-browser',
      severity: 'error',
      comment: 'Browser code imports types and constants of the contract, never its schema library.',
      from: { path: '^(mail-design|client|widgets|dashboard|loader)/', ...notTests },
      to: {
        path: '^(contract/[^/]+/(account|attachment|config|deliverability|embed|embed-session|google|health|hosted|image|message|operation|operations|paging|saved-block|sessions|template)\\.ts$|node_modules/typebox/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    only('lib-imports', '^widgets/lib/', '^(widgets/lib|contract)/', 'Pure functions.'),
    only('kit-imports', '^widgets/kit/', '^widgets/(kit|lib)/', 'The kit imports no widget and no client.'),
    only(
      'store-imports',
      '^widgets/.+store\\.ts$',
      '^(client|contract|mail-design|widgets/lib)/|^widgets/([^/]+)/',
      'Stores contain logic and render nothing.',
    ),
    {
      name: 'widget-views-never-call',
      severity: 'error',
      comment: 'view → store → client: views do not call the client.',
      from: { path: '^widgets/(?!kit/|lib/)[^/]+/', pathNot: ['store\\.ts$', '\\.test\\.tsx?$'] },
      to: { path: '^client/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-widget-in-a-widget',
      severity: 'error',
      comment: 'A widget opens another through an element passed in.',
      from: { path: '^widgets/(?!kit/|lib/)([^/]+)/' },
      to: { path: '^widgets/(?!kit/|lib/)[^/]+/', pathNot: '^widgets/$1/' },
    },
    only(
      'widget-imports',
      '^widgets/',
      '^(widgets|client|mail-design|contract|tests)/',
      'A widget runs in a third-party page.',
    ),
    only(
      'dashboard-imports',
      '^dashboard/',
      '^(dashboard|widgets|client|mail-design|contract|tests)/',
      'The dashboard arranges widgets.',
    ),
    {
      name: 'wouter-in-one-file',
      severity: 'error',
      comment: 'Only one file defines routes.',
      from: { path: '^(dashboard|widgets)/', pathNot: ['^dashboard/routes\\.tsx$', '\\.test\\.tsx?$'] },
      to: { path: 'node_modules/wouter/' },
    },
    only(
      'loader-imports',
      '^loader/',
      '^(loader|widgets|client|contract|tests)/',
      'The first script of a page, and the frame of its widgets.',
    ),
    {
      name: 'loader-fetches-widgets',
      severity: 'error',
      comment: 'The loader imports widgets lazily.',
      from: { path: '^loader/' },
      to: {
        path: '^widgets/(?!kit/|lib/)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
        pathNot: 'template-picker-element',
      },
    },
    only('domain-imports', '^server/domain/', '^(server/domain|mail-design|contract)/', 'Pure rules.'),
    only(
      'usecase-imports',
      '^server/usecases/',
      '^(server/(usecases|domain|store|mailer|oidc)|contract|tests)/',
      'A use case declares the ports it needs.',
    ),
    {
      name: 'usecases-import-adapter-types-only',
      severity: 'error',
      comment: 'A port is a Pick of an adapter’s type; server/compose passes the adapter.',
      from: { path: '^server/usecases/', ...notTests },
      to: { path: '^server/(store|mailer|oidc)/', dependencyTypesNot: ['type-only'] },
    },
    only(
      'http-imports',
      '^server/http/',
      '^(server/(http|usecases|domain)|contract|tests)/',
      'parse → one use-case → answer.',
    ),
    only(
      'store-and-mailer-imports',
      '^server/(store|mailer|altcha|spreadsheet|images|child-process|inbox|sandbox|oidc|postgres)/',
      '^(server/(store|mailer|altcha|spreadsheet|images|child-process|inbox|sandbox|oidc|postgres|domain)|contract|tests)/',
      'Adapters import the domain, not their callers.',
    ),
    only(
      'tracking-imports',
      '^server/tracking/',
      '^(server/(tracking|domain)|contract|tests)/',
      'Tokens, links and rewriting are pure; server/compose connects them with the mailer and the tracking paths.',
    ),
    {
      name: 'store-and-mailer-apart',
      severity: 'error',
      comment: 'Adapters are independent: server/compose connects them.',
      from: {
        path: '^server/(store|mailer|altcha|spreadsheet|images|child-process|inbox|sandbox|oidc|postgres)/',
        ...notTests,
      },
      to: {
        path: '^server/(store|mailer|altcha|spreadsheet|images|child-process|inbox|sandbox)/',
        pathNot: '^server/$1/',
      },
    },
    {
      name: 'postgres-and-oidc-below',
      severity: 'error',
      comment: 'The store starts PostgreSQL, the mailer signs in with OpenID; these two import no adapter.',
      from: { path: '^server/(postgres|oidc)/', ...notTests },
      to: { path: '^server/(postgres|oidc)/', pathNot: '^server/$1/' },
    },
    only(
      'server-imports',
      '^server/',
      '^(server|mail-design|contract|tests)/',
      'Browser and server share the contract and the renderer.',
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
