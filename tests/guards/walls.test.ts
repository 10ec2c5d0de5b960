import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyProject, type ProjectCopy } from '../support/project-copy.ts'

/** Each violation is named after the rule that must find it. */
const breaches: [rule: string, file: string, text: string][] = [
  ['contract-imports-nothing-of-ours', 'contract/breach.ts', "import '../server/domain/core/id.ts'\n"],
  ['library-walls', 'library/breach.ts', "import '../client/core/http.ts'\n"],
  ['library-is-read-as-json', 'server/domain/breach-of-library.ts', "import '../../library/catalogue.ts'\n"],
  ['client-walls', 'client/breach.ts', "import '../server/domain/core/id.ts'\n"],
  [
    'no-schema-library-in-the-browser',
    'client/breach-of-types.ts',
    "import { signUp } from '../contract/account/account.ts'\nexport const path = signUp.path\n",
  ],
  ['lib-walls', 'widgets/lib/breach.ts', "import '../../client/core/http.ts'\n"],
  ['kit-walls', 'widgets/kit/form/breach.ts', "import '../../../client/core/http.ts'\n"],
  ['store-walls', 'widgets/compose/send/breach-store.ts', "import '../../../dashboard/main.tsx'\n"],
  ['widget-views-never-call', 'widgets/compose/breach.tsx', "import '../../client/core/http.ts'\n"],
  ['no-widget-in-a-widget', 'widgets/compose/breach.ts', "import '../config-manager/config-manager-element.tsx'\n"],
  ['widget-walls', 'widgets/kit/breach-of-widgets.ts', "import '../../dashboard/main.tsx'\n"],
  ['dashboard-walls', 'dashboard/breach.ts', "import '../server/domain/core/id.ts'\n"],
  [
    'wouter-in-one-file',
    'dashboard/pages/breach.tsx',
    "import { useLocation } from 'wouter'\nexport const use = useLocation\n",
  ],
  ['domain-walls', 'server/domain/breach.ts', "import '../store/core/database.ts'\n"],
  ['usecase-walls', 'server/usecases/breach.ts', "import '../http/core/errors.ts'\n"],
  ['usecases-know-adapters-by-type', 'server/usecases/breach-of-ports.ts', "import '../store/core/database.ts'\n"],
  ['http-walls', 'server/http/breach.ts', "import '../store/core/database.ts'\n"],
  ['no-drizzle-at-run-time', 'server/store/core/breach-of-drizzle.ts', "import 'drizzle-orm'\n"],
  ['no-drizzle-at-run-time', 'server/store/accounts/breach-of-schema.ts', "import '../schema/accounts.ts'\n"],
  ['store-and-mailer-walls', 'server/store/breach.ts', "import '../usecases/accounts/sign-in.ts'\n"],
  ['store-and-mailer-apart', 'server/mailer/breach.ts', "import '../store/core/database.ts'\n"],
  ['server-walls', 'server/breach.ts', "import '../client/core/http.ts'\n"],
  ['tests-stay-tests', 'server/http/breach-of-tests.ts', "import '../../tests/support/postgres.ts'\n"],
  ['no-dev-packages', 'server/http/breach-of-packages.ts', "import 'vitest'\n"],
  ['no-unresolvable', 'server/http/breach-of-paths.ts', "import './nothing.ts'\n"],
  ['no-cycles', 'server/domain/breach-one.ts', "import './breach-two.ts'\n"],
]

let copy: ProjectCopy
let found: { code: number; output: string }

beforeAll(async () => {
  copy = await copyProject()
  for (const [, file, text] of breaches) await copy.plant(file, text)
  await copy.plant('server/domain/breach-two.ts', "import './breach-one.ts'\n")
  const files = breaches.map(([, file]) => file)
  found = await copy.run('dependency-cruiser/bin/dependency-cruiser.mjs', files)
})
afterAll(() => copy[Symbol.asyncDispose]())

describe('the dependency rules', () => {
  it.each(breaches)('%s finds the violation in %s', (rule, file) => {
    expect(found.output).toContain(`error ${rule}: ${file}`)
  })

  it('a violation fails the check', () => {
    expect(found.code).toBeGreaterThan(0)
  })
})
