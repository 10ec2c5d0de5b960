import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { effectCleanup } from './eslint.effects.js'

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

/** Globals of a browser that are mistaken for local variables: `history` and `location` are not. */
const confusingGlobals = (
  'addEventListener blur close closed confirm event external find focus frameElement frames innerHeight innerWidth ' +
  'length name open opener origin outerHeight outerWidth parent print prompt removeEventListener resizeBy resizeTo ' +
  'screen screenLeft screenTop screenX screenY scroll scrollBy scrollTo scrollX scrollY self status stop toolbar top'
)
  .split(' ')
  .map((name) => ({ name, message: 'Write window.' + name + ', or declare the variable.' }))

const forbiddenSyntax = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that has it.' },
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  {
    selector: ':matches(TSAsExpression, TSTypeAssertion) > TSTypeReference[typeName.name=/^(System)?Scope$/]',
    message: 'Only authorize() constructs a Scope (server/domain/auth/authorize.ts).',
  },
]

const moduleLevel = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration'
const stateMessage =
  'No state in modules: make it in server/main.ts or in a component, and pass it in. A cache says so where it is allowed.'

/** A variable of a module that changes, or a collection that begins empty. */
const moduleState = [
  { selector: `${moduleLevel}[kind=let]`, message: stateMessage },
  {
    selector:
      moduleLevel +
      ' > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/])' +
      ':not([id.typeAnnotation.typeAnnotation.operator=readonly])' +
      ' > :matches(NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0],' +
      ' ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])',
    message: stateMessage,
  },
]

/** Rules for all directories: strict types, named exports, no console, no escape hatches. */
export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'data/', 'server/store/migrations/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['commands/*.js', '.dependency-cruiser.js'] } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { regexp },
    rules: {
      // Only regular expressions in linear time: inputs are untrusted, and up to 1 MB.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...forbiddenSyntax],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Pass randomness in; tokens come from node:crypto.' },
      ],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx,js}'],
    ignores: ['tests/**', 'bench/**', '**/*.test.ts', '**/*.test.tsx'],
    rules: { complexity: ['error', 20], 'no-restricted-globals': ['error', ...confusingGlobals] },
  },
  { ...reactHooks.configs.flat.recommended, files: ['widgets/**/*.tsx', 'dashboard/**/*.tsx'] },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { sendwright: { rules: { 'effect-cleanup': effectCleanup } } },
    rules: { 'sendwright/effect-cleanup': 'error' },
  },
  {
    // The clock, randomness, ids and the environment are passed in from the composition root.
    files: ['server/**/*.ts'],
    ignores: composition,
    rules: {
      'no-restricted-globals': [
        'error',
        ...confusingGlobals,
        { name: 'process', message: 'Read the environment in server/main.ts and pass it in.' },
      ],
    },
  },
  {
    // One process serves many workspaces, and one page shows many widgets. The loader is once in a page.
    files: ['contract/**', 'mail-design/**', 'client/**', 'server/**', 'widgets/**', 'dashboard/**'],
    ignores: composition,
    rules: { 'no-restricted-syntax': ['error', ...forbiddenSyntax, ...moduleState] },
  },
  {
    // client/core/http.ts is the HTTP client of the browser directories; the loader runs before it.
    files: browserDirectories.map((directory) => `${directory}/*.{ts,tsx}`),
    ignores: ['client/core/http.ts', 'loader/**', '**/*.test.ts', '**/*.test.tsx'],
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
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
    },
  },
  {
    files: ['*.config.{ts,js}', 'server/store/drizzle.config.ts', '.dependency-cruiser.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['commands/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    // Plain JavaScript: these commands run before the packages are installed.
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'tests/**'],
    rules: {
      // Tests read responses of any shape; a wrong access fails the test.
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
)
