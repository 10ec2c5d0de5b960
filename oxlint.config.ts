import { defineConfig } from 'oxlint'

const browserDirectories = ['client/**', 'mail-design/**', 'widgets/**', 'dashboard/**', 'loader/**']
const composition = [
  'server/main.ts',
  'commands/**',
  'tests/**',
  'bench/**',
  '**/*.test.ts',
  '**/*.test.tsx',
  '*.config.ts',
]

const names = (text: string) => text.trim().split(/\s+/)
const allOf = (rules: string, prefix = '') =>
  Object.fromEntries(names(rules).map((name) => [prefix + name, 'error' as const]))

/** Globals of a browser that are mistaken for local variables: `history` and `location` are not. */
const confusingGlobals = names(`
  addEventListener blur close closed confirm event external find focus frameElement frames innerHeight innerWidth
  length name open opener origin outerHeight outerWidth parent print prompt removeEventListener resizeBy resizeTo
  screen screenLeft screenTop screenX screenY scroll scrollBy scrollTo scrollX scrollY self status stop toolbar top
`).map((name) => ({ name, message: 'Write window.' + name + ', or declare the variable.' }))

/** Rules for all directories: strict types, named exports, no console, no escape hatches. */
export default defineConfig({
  plugins: ['typescript', 'react'],
  jsPlugins: ['eslint-plugin-regexp', './commands/lint-rules.ts'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'off' },
  ignorePatterns: ['node_modules/', 'dist/', 'data/', 'server/store/migrations/'],
  rules: {
    // All of typescript-eslint's strict and stylistic rules, with types.
    ...allOf(
      'eqeqeq no-array-constructor no-console no-empty-function no-unused-expressions no-useless-constructor no-var ' +
        'prefer-const prefer-rest-params prefer-spread',
    ),
    ...allOf(
      `adjacent-overload-signatures array-type await-thenable ban-tslint-comment class-literal-property-style
      consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions consistent-type-imports
      dot-notation no-array-delete no-base-to-string no-confusing-non-null-assertion no-deprecated
      no-duplicate-enum-values no-duplicate-type-constituents no-dynamic-delete no-empty-object-type no-explicit-any
      no-extra-non-null-assertion no-extraneous-class no-floating-promises no-for-in-array
      no-generated-empty-object-type no-implied-eval no-inferrable-types no-invalid-void-type
      no-meaningless-void-operator no-misused-new no-misused-promises no-misused-spread no-mixed-enums no-namespace
      no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain no-non-null-assertion
      no-redundant-type-constituents no-require-imports no-this-alias no-unnecessary-boolean-literal-compare
      no-unnecessary-condition no-unnecessary-template-expression no-unnecessary-type-arguments
      no-unnecessary-type-assertion no-unnecessary-type-constraint no-unnecessary-type-conversion
      no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment no-unsafe-call
      no-unsafe-declaration-merging no-unsafe-enum-assignment no-unsafe-enum-comparison no-unsafe-function-type
      no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus no-useless-default-assignment no-wrapper-object-types
      non-nullable-type-assertion-style only-throw-error prefer-as-const prefer-find prefer-for-of prefer-function-type
      prefer-includes prefer-literal-enum-member prefer-namespace-keyword prefer-nullish-coalescing prefer-optional-chain
      prefer-promise-reject-errors prefer-reduce-type-parameter prefer-regexp-exec prefer-return-this-type
      prefer-string-starts-ends-with related-getter-setter-pairs require-await switch-exhaustiveness-check
      triple-slash-reference unbound-method unified-signatures use-unknown-in-catch-callback-variable`,
      'typescript/',
    ),
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/consistent-type-definitions': ['error', 'interface'],
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/restrict-plus-operands': [
      'error',
      { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
    ],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    // Only regular expressions in linear time: inputs are untrusted, and up to 1 MB.
    'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    'no-restricted-properties': [
      'error',
      { object: 'Math', property: 'random', message: 'Pass randomness in; tokens come from node:crypto.' },
    ],
    'sendwright/exports': 'error',
    'sendwright/scope': 'error',
    'sendwright/effect-cleanup': 'error',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx,js}'],
      excludeFiles: ['tests/**', 'bench/**', '**/*.test.ts', '**/*.test.tsx'],
      rules: { complexity: ['error', 20], 'no-restricted-globals': ['error', ...confusingGlobals] },
    },
    {
      files: ['widgets/**/*.tsx', 'dashboard/**/*.tsx'],
      rules: {
        ...allOf(
          `error-boundaries exhaustive-deps globals immutability incompatible-library preserve-manual-memoization purity
          refs rules-of-hooks set-state-in-effect set-state-in-render static-components unsupported-syntax use-memo`,
          'react/',
        ),
      },
    },
    {
      // One process serves many workspaces, and one page shows many widgets. The loader is once in a page.
      files: ['contract/**', 'mail-design/**', 'client/**', 'server/**', 'widgets/**', 'dashboard/**'],
      excludeFiles: composition,
      rules: { 'sendwright/module-state': 'error' },
    },
    {
      // The clock, randomness, ids and the environment are passed in from the composition root.
      files: ['server/**/*.ts'],
      excludeFiles: composition,
      rules: {
        'no-restricted-globals': [
          'error',
          ...confusingGlobals,
          { name: 'process', message: 'Read the environment in server/main.ts and pass it in.' },
        ],
      },
    },
    {
      // client/core/http.ts is the HTTP client of the browser directories; the loader runs before it.
      files: browserDirectories.map((directory) => `${directory}/*.{ts,tsx}`),
      excludeFiles: ['client/core/http.ts', 'loader/**', '**/*.test.ts', '**/*.test.tsx'],
      rules: {
        'no-restricted-globals': [
          'error',
          ...confusingGlobals,
          { name: 'fetch', message: 'Use client/core/http.ts, the only HTTP client.' },
        ],
      },
    },
    {
      // Limited to 2,000 bytes, and errors pass between two builds: they are plain objects.
      files: ['loader/**'],
      rules: {
        'typescript/no-non-null-assertion': 'off',
        'typescript/only-throw-error': 'off',
        'typescript/prefer-promise-reject-errors': 'off',
      },
    },
    {
      files: ['*.config.{ts,js}', 'server/store/drizzle.config.ts', '.dependency-cruiser.js', 'commands/lint-rules.ts'],
      rules: { 'sendwright/exports': 'off' },
    },
    { files: ['commands/**', 'bench/**'], rules: { 'no-console': 'off' } },
    {
      // Plain JavaScript: these commands run before the packages are installed.
      files: ['**/*.js'],
      rules: Object.fromEntries(
        names(`no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-member-access no-unsafe-return
          no-deprecated no-unnecessary-condition no-misused-promises no-floating-promises restrict-plus-operands
          prefer-nullish-coalescing prefer-optional-chain prefer-includes no-confusing-void-expression
          restrict-template-expressions no-base-to-string unbound-method use-unknown-in-catch-callback-variable
          await-thenable no-unnecessary-type-assertion switch-exhaustiveness-check require-await return-await
          prefer-promise-reject-errors only-throw-error dot-notation`).map(
          (name) => [`typescript/${name}`, 'off'] as const,
        ),
      ),
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', 'tests/**'],
      rules: {
        // Tests read responses of any shape; a wrong access fails the test.
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/no-non-null-assertion': 'off',
        'no-empty-function': 'off',
      },
    },
  ],
})
