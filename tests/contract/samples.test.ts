import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type Parsers from '@vscode/tree-sitter-wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeSamples } from '../../dashboard/content/code-samples.ts'
import { fetchAsCurl, runCurl } from '../support/curl.ts'
import { createUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

// The samples of the documentation, as a user copies them.

const run = promisify(execFile)
const hasPython = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
)

let server: TestServer
let folder: string
let sample: (language: string) => string
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'sendwright samples '))
  const { secretKey } = await createUser(server)
  const samples = codeSamples(server.url, secretKey)
  sample = (language) => samples.find((one) => one.language === language)?.code ?? ''
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** The next mail to each of the two recipients of the samples, once it has arrived. */
let sentCount = 0
async function expectBothMails(): Promise<void> {
  sentCount += 1
  for (const address of ['ada@example.com', 'bo@example.com']) {
    const [mail] = await server.mailsTo(address, sentCount)
    expect(mail).toMatchObject({
      subject: 'Hello friend',
      html: expect.stringContaining('<p>Dear friend, the doors open at six.</p>'),
    })
  }
}

const accepted = 'Email sent successfully to 2 recipients'

describe('the documentation samples, as copied', () => {
  it('the curl line sends both mails', async () => {
    const answer = (await runCurl(sample('curl'))) ?? (await fetchAsCurl(sample('curl')))
    expect(answer).toMatchObject({ message: accepted, accepted: 2 })
    await expectBothMails()
  })

  it('the JavaScript sends both mails', async () => {
    const file = join(folder, 'sample.mjs')
    await writeFile(file, sample('javascript'))
    const { stdout } = await run(process.execPath, [file])
    expect(stdout).toContain(accepted)
    await expectBothMails()
  })

  it.skipIf(!hasPython)('the Python sends both mails', async () => {
    const file = join(folder, 'sample.py')
    await writeFile(file, sample('python'))
    const { stdout } = await run('python3', [file])
    expect(stdout).toContain(accepted)
    await expectBothMails()
  })

  it.each([
    ['php', 'tree-sitter-php.wasm'],
    ['C#', 'tree-sitter-c-sharp.wasm'],
  ])('the %s sample parses, and does not without a bracket', async (language, grammar) => {
    const code = sample(language)
    expect(code).toContain('/api/send-mail/ck_')
    expect(await hasFaults(code, grammar)).toBe(false)
    expect(await hasFaults(code.replace(')', ''), grammar)).toBe(true)
  })
})

/** Whether a parser reports an error for text of another language. */
async function hasFaults(code: string, grammar: string): Promise<boolean> {
  const require = createRequire(import.meta.url)
  const { Language, Parser } = require('@vscode/tree-sitter-wasm') as typeof Parsers
  await Parser.init()
  const place = dirname(require.resolve('@vscode/tree-sitter-wasm'))
  using parser = disposable(new Parser())
  parser.value.setLanguage(await Language.load(join(place, grammar)))
  const tree = parser.value.parse(code)
  return tree?.rootNode.hasError ?? true
}

function disposable<T extends { delete: () => void }>(value: T): Disposable & { value: T } {
  return { value, [Symbol.dispose]: () => value.delete() }
}
