import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyProject, type ProjectCopy } from '../support/project-copy.ts'

/** Each violation is named after the rule that must find it. */
const violations: [rule: string, file: string, text: string][] = [
  ['contract-imports-nothing-of-ours', 'contract/violation.ts', "import '../server/domain/core/id.ts'\n"],
  ['mail-design-imports', 'mail-design/violation.ts', "import '../client/core/http.ts'\n"],
  ['library-imports', 'library/violation.ts', "import '../client/core/http.ts'\n"],
  ['library-is-read-as-json', 'server/domain/violation-of-library.ts', "import '../../library/catalogue.ts'\n"],
  ['client-imports', 'client/violation.ts', "import '../server/domain/core/id.ts'\n"],
  [
    'no-schema-library-in-the-browser',
    'client/violation-of-types.ts',
    "import { signUp } from '../contract/account/account.ts'\nexport const path = signUp.path\n",
  ],
  ['lib-imports', 'widgets/lib/violation.ts', "import '../../client/core/http.ts'\n"],
  ['kit-imports', 'widgets/kit/form/violation.ts', "import '../../../client/core/http.ts'\n"],
  ['store-imports', 'widgets/compose/send/violation-store.ts', "import '../../../dashboard/main.tsx'\n"],
  ['widget-views-never-call', 'widgets/compose/violation.tsx', "import '../../client/core/http.ts'\n"],
  ['no-widget-in-a-widget', 'widgets/compose/violation.ts', "import '../config-manager/config-manager-element.tsx'\n"],
  ['widget-imports', 'widgets/kit/violation-of-widgets.ts', "import '../../dashboard/main.tsx'\n"],
  ['dashboard-imports', 'dashboard/violation.ts', "import '../server/domain/core/id.ts'\n"],
  [
    'wouter-in-one-file',
    'dashboard/pages/violation.tsx',
    "import { useLocation } from 'wouter'\nexport const use = useLocation\n",
  ],
  ['domain-imports', 'server/domain/violation.ts', "import '../store/core/database.ts'\n"],
  ['usecase-imports', 'server/usecases/violation.ts', "import '../http/core/errors.ts'\n"],
  [
    'usecases-import-adapter-types-only',
    'server/usecases/violation-of-ports.ts',
    "import '../store/core/database.ts'\n",
  ],
  ['http-imports', 'server/http/violation.ts', "import '../store/core/database.ts'\n"],
  ['no-drizzle-at-run-time', 'server/store/core/violation-of-drizzle.ts', "import 'drizzle-orm'\n"],
  ['no-drizzle-at-run-time', 'server/store/accounts/violation-of-schema.ts', "import '../schema/accounts.ts'\n"],
  ['store-and-mailer-imports', 'server/store/violation.ts', "import '../usecases/accounts/sign-in.ts'\n"],
  ['store-and-mailer-apart', 'server/mailer/violation.ts', "import '../store/core/database.ts'\n"],
  ['server-imports', 'server/violation.ts', "import '../client/core/http.ts'\n"],
  ['tests-stay-tests', 'server/http/violation-of-tests.ts', "import '../../tests/support/postgres.ts'\n"],
  ['no-dev-packages', 'server/http/violation-of-packages.ts', "import 'vitest'\n"],
  ['no-unresolvable', 'server/http/violation-of-paths.ts', "import './nothing.ts'\n"],
  ['no-cycles', 'server/domain/violation-one.ts', "import './violation-two.ts'\n"],
]

let copy: ProjectCopy
let found: { code: number; output: string }

beforeAll(async () => {
  copy = await copyProject()
  for (const [, file, text] of violations) await copy.writeFile(file, text)
  await copy.writeFile('server/domain/violation-two.ts', "import './violation-one.ts'\n")
  const files = violations.map(([, file]) => file)
  found = await copy.run('dependency-cruiser/bin/dependency-cruiser.mjs', files)
})
afterAll(() => copy[Symbol.asyncDispose]())

describe('the dependency rules', () => {
  it.each(violations)('%s finds the violation in %s', (rule, file) => {
    expect(found.output).toContain(`error ${rule}: ${file}`)
  })

  it('a violation fails the check', () => {
    expect(found.code).toBeGreaterThan(0)
  })
})
