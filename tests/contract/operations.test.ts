import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { errors, type ErrorCode } from '../../contract/core/errors.ts'
import { commonErrors } from '../../contract/core/operation.ts'
import { operations } from '../../contract/core/operations.ts'
import { realtimePath } from '../../contract/hosted/realtime.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort()
const root = new URL('../../', import.meta.url)

/** Names that the modules of a folder export as operations. */
async function exportedOperations(folder: string): Promise<string[]> {
  const files = await readdir(new URL(folder, root), { recursive: true })
  const modules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const exported = await Promise.all(
    modules.map(async (file) =>
      Object.entries((await import(new URL(folder + file, root).href)) as Record<string, unknown>),
    ),
  )
  const known = new Set(operations.map(({ name }) => name))
  return exported.flat().flatMap(([name, value]) => (typeof value === 'function' && known.has(name) ? [name] : []))
}

/** Why these need no key: they are idempotent. */
const doneOnceAnyhow = {
  signUp: 'an address has one account',
  signIn: 'another session, as at any other sign-in',
  exchangeSignInCode: 'a code is traded once',
  signOut: 'the session is gone',
  updatePassword: 'a link works once',
  resendConfirmation: 'a few mails an hour at most',
  acceptDocument: 'a version is accepted once',
  changePassword: 'the old password opens it once',
  closeAccount: 'it is closed',
  startMailboxSignIn: 'nothing comes of it but an address',
  startReadingConsent: 'nothing comes of it but an address',
  confirmReply: 'it is settled once',
  rejectReply: 'it is settled once',
  unsubscribeReply: 'an address is suppressed once',
  answerSandboxMessage: 'for this machine, to try things out',
  discoverMailServer: 'reads',
  pauseEmailCampaign: 'it is paused',
  cancelEmailCampaign: 'it is cancelled',
  undoEmailCampaign: 'it is a draft then',
  estimateEmailCampaign: 'reads',
  openEmbedSession: 'an answer that is given again would outlive its session',
  giveEmbedConsent: 'a code lives for a minute',
  exchangeEmbedCode: 'a code is traded once',
  signInHosted: 'another token, as at any other sign-in',
  createContact: 'an address has one contact',
  eraseContact: 'it is gone',
  createContactField: 'a key has one field',
  startContactAction: 'one runs at a time',
  undoContactAction: 'it is undone once',
  createList: 'a name has one list',
  createTrackingDomain: 'a host has one domain',
  checkTrackingDomain: 'reads',
  saveRecipientsAsList: 'a name has one list',
  createSegment: 'a name has one segment',
  createSavedBlock: 'the same block under the same name is saved once',
  previewMail: 'reads',
  previewSegment: 'reads',
  countAudience: 'reads',
  listAudiencePeople: 'reads',
  uploadImage: 'the same file is one image',
  uploadAttachment: 'an upload that no call names is deleted',
  startDeliverabilityCheck: 'reads',
  startSelfTest: 'a second test mail arrives beside the first',
  createImport: 'nothing is written before its start',
  checkImport: 'counts',
  startImport: 'it is started once',
  cancelImport: 'it is cancelled',
  undoImport: 'it is taken back once',
}

describe('one contract', () => {
  it('names each call once, with unique method and path', () => {
    expect(new Set(namesOf(operations)).size).toBe(operations.length)
    const places = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(places).size).toBe(operations.length)
  })

  it('exports every call under its name', async () => {
    const files = (await readdir(new URL('contract/', root), { recursive: true })).filter((file) =>
      /^[^.]+\.ts$/.test(file),
    )
    const modules = await Promise.all(
      files.map(async (file) => (await import(new URL(`contract/${file}`, root).href)) as Record<string, unknown>),
    )
    const exported = modules.flatMap((module) => Object.keys(module))
    expect(exported).toEqual(expect.arrayContaining(namesOf(operations)))
  })

  it('has a client function of the same name for every call that names no other caller', async () => {
    const called = operations.filter(({ caller }) => caller === undefined)
    expect((await exportedOperations('client/')).sort()).toEqual(namesOf(called))
  })

  it('has a server route for every call, and no other route', () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    const besides = [
      'GET /preview-frame',
      'GET /assets/*',
      'GET /embed/*',
      'GET /sandbox/google/authorize',
      'GET /sandbox/google/continue',
      'GET /metrics',
      'GET /robots.txt',
      'GET /sitemap.xml',
      'GET /favicon.ico',
      'GET /unsubscribe/:token',
      'POST /unsubscribe/:token',
      'GET /preferences/:token',
      'POST /preferences/:token',
      `GET ${realtimePath.replace(/\{(\w+)\}/, ':$1')}`,
    ]
    const line = server
      .logged()
      .split('\n')
      .find((text) => text.includes('"msg":"routes"'))
    const { routes } = JSON.parse(line ?? '{}') as { routes: string[] }
    expect(routes.toSorted()).toEqual([...described, ...besides].toSorted())
  })

  it('matches GET /openapi.json: the same calls, statuses and texts', async () => {
    const { body } = await server.call('GET', '/openapi.json')
    const paths = body.paths as Record<
      string,
      Record<string, { operationId: string; responses: Record<string, { description: string }> }>
    >
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, responses }]) => ({
        path,
        method: method.toUpperCase(),
        name: operationId,
        responses,
      })),
    )
    expect(described.map(({ name, method, path }) => `${name} ${method} ${path}`).sort()).toEqual(
      operations.map(({ name, method, path }) => `${name} ${method} ${path}`).sort(),
    )
    for (const operation of operations) {
      const { responses } = described.find(({ name }) => name === operation.name)!
      const codes = [...operation.errors, ...commonErrors(operation)]
      const statuses = [...Object.keys(operation.answers), ...codes.map((code) => String(errors[code].status))]
      expect(Object.keys(responses).sort()).toEqual([...new Set(statuses)].sort())
      for (const code of codes) expect(responses[errors[code].status]!.description).toContain(errors[code].sentence)
    }
  })

  it('requires an Idempotency-Key on each POST that creates or sends something', () => {
    const withoutKey = operations.filter(({ method, isRepeatable }) => method === 'POST' && isRepeatable !== true)
    expect(namesOf(withoutKey)).toEqual(Object.keys(doneOnceAnyhow).sort())
  })

  it('has exactly the errors of docs/errors.md, word for word', async () => {
    const text = await readFile(new URL('docs/errors.md', root), 'utf8')
    const rows = [...text.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| ([^|]+)\|$/gm)].map(([, code, status, sentence]) => [
      code,
      Number(status),
      sentence?.trim(),
    ])
    expect(rows).toEqual(Object.entries(errors).map(([code, { status, sentence }]) => [code, status, sentence]))
  })

  it('uses every error in at least one call, or for any unknown address', () => {
    const used = new Set<ErrorCode>(
      operations.flatMap((operation) => [...operation.errors, ...commonErrors(operation)]),
    )
    const anywhere: ErrorCode[] = ['not_found', 'method_not_allowed', 'websocket_only']
    expect([...used, ...anywhere].filter((code, at, all) => all.indexOf(code) === at).sort()).toEqual(
      Object.keys(errors).sort(),
    )
  })
})
