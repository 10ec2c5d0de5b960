import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { sampleTemplate } from '../../tests/support/samples.ts'
import type { Session } from '../core/http.ts'
import { createTemplateOnce } from './new-template.ts'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.received.length = 0
  api.on('createEmailTemplate', { status: 201, json: sampleTemplate() })
})

const session = (): Session => ({ apiBase: api.url, token: () => 'at_1', shared: new Map() })
const template = { subject: 'Hello', body: '<p>Hello</p>', context: [] }
const keys = () => api.received.map(({ headers }) => headers['idempotency-key'])

describe('a new template', () => {
  it('is sent once on a double click', async () => {
    const own = session()
    const [first, second] = await Promise.all([createTemplateOnce(own, template), createTemplateOnce(own, template)])
    expect(first).toBe(second)
    expect(keys()).toHaveLength(1)
  })

  it('carries the same key on a retry, and another one after success', async () => {
    const own = session()
    api.on('createEmailTemplate', { hangUp: true })
    await expect(createTemplateOnce(own, template)).rejects.toThrow()
    api.on('createEmailTemplate', { status: 201, json: sampleTemplate() })
    await createTemplateOnce(own, template)
    await createTemplateOnce(own, template)
    const [failed, repeated, another] = keys()
    expect(failed).toMatch(/^[0-9a-f]{32}$/)
    expect(repeated).toBe(failed)
    expect(another).not.toBe(failed)
  })

  it('with other content carries another key', async () => {
    const own = session()
    await Promise.all([createTemplateOnce(own, template), createTemplateOnce(own, { ...template, subject: 'Other' })])
    expect(new Set(keys()).size).toBe(2)
  })
})
