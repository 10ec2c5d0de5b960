import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyProject, type ProjectCopy } from '../support/project-copy.ts'

let copy: ProjectCopy

beforeAll(async () => {
  copy = await copyProject()
})
afterAll(() => copy[Symbol.asyncDispose]())

/** Each breach stands in a file of its own and is named after the rule that must find it. */
const breaches: [rule: string, file: string, text: string][] = [
  ['contract-imports-nothing-of-ours', 'contract/breach.ts', "import '../server/domain/id.ts'\n"],
  ['client-walls', 'client/breach.ts', "import '../server/domain/id.ts'\n"],
  [
    'no-schema-library-in-the-browser',
    'client/breach.ts',
    "import { signUp } from '../contract/account.ts'\nexport const path = signUp.path\n",
  ],
  ['lib-walls', 'widgets/lib/breach.ts', "import '../../client/http.ts'\n"],
  ['kit-walls', 'widgets/kit/breach.ts', "import '../../client/http.ts'\n"],
  ['widget-views-never-call', 'widgets/compose/breach.tsx', "import '../../client/http.ts'\n"],
  ['no-widget-in-a-widget', 'widgets/compose/breach.ts', "import '../config-manager/element.tsx'\n"],
  ['widget-walls', 'widgets/kit/breach.ts', "import '../../dashboard/main.tsx'\n"],
  ['dashboard-walls', 'dashboard/breach.ts', "import '../server/domain/id.ts'\n"],
  [
    'wouter-in-one-file',
    'dashboard/pages/breach.tsx',
    "import { useLocation } from 'wouter'\nexport const use = useLocation\n",
  ],
  ['domain-walls', 'server/domain/breach.ts', "import '../store/database.ts'\n"],
  ['usecase-walls', 'server/usecases/breach.ts', "import '../store/database.ts'\n"],
  ['http-walls', 'server/http/breach.ts', "import '../store/database.ts'\n"],
  ['store-and-mailer-walls', 'server/store/breach.ts', "import '../usecases/sign-in.ts'\n"],
  ['store-and-mailer-apart', 'server/mailer/breach.ts', "import '../store/database.ts'\n"],
  ['server-walls', 'server/breach.ts', "import '../client/http.ts'\n"],
  ['tests-stay-tests', 'server/http/breach.ts', "import '../../tests/support/postgres.ts'\n"],
  ['no-dev-packages', 'server/http/breach.ts', "import 'vitest'\n"],
  ['no-unresolvable', 'server/http/breach.ts', "import './nothing.ts'\n"],
]

describe('the walls', () => {
  it.each(breaches)('%s finds a breach in %s', async (rule, file, text) => {
    await copy.plant(file, text)
    const { code, output } = await copy.run('dependency-cruiser/bin/dependency-cruiser.mjs', [file])
    await copy.remove(file)
    expect(output).toContain(`error ${rule}: ${file}`)
    expect(code).toBeGreaterThan(0)
  })

  it('no-cycles finds two files that need each other', async () => {
    await copy.plant('server/domain/one.ts', "import './two.ts'\n")
    await copy.plant('server/domain/two.ts', "import './one.ts'\n")
    const { code, output } = await copy.run('dependency-cruiser/bin/dependency-cruiser.mjs', ['server/domain/one.ts'])
    expect(output).toContain('error no-cycles')
    expect(code).toBeGreaterThan(0)
  })
})
