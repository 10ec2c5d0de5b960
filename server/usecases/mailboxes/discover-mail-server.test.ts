import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../contract/core/errors.ts'
import { createDiscoverMailServer } from './discover-mail-server.ts'
import { scopeOf } from '../../../tests/support/scope.ts'

const code = (work: Promise<unknown>) => work.then(String, (error: unknown) => (error as AppError).code)

/** Domains that do not respond until `answer` is called. */
function make() {
  const waiting: (() => void)[] = []
  const discover = createDiscoverMailServer({
    discoverServer: () => new Promise((resolve) => waiting.push(() => resolve(null))),
    attempts: { take: () => Promise.resolve({ ok: true, id: 1 }), giveBack: () => Promise.resolve() },
  })
  const request = (workspaceId: string) => code(discover(scopeOf(workspaceId), 'ann@example.com'))
  const answer = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { request, answer, waiting }
}

describe('discoveries of mail servers', () => {
  it('are limited to five per workspace: a sixth is rejected until they have ended, those of others are not', async () => {
    const { request, answer, waiting } = make()
    const five = Array.from({ length: 5 }, () => request('one'))
    expect(await request('one')).toBe('too_many_attempts')
    const other = request('other')
    await expect.poll(() => waiting.length).toBe(6)
    answer()
    expect(await Promise.all([...five, other])).toEqual(Array.from({ length: 6 }, () => 'null'))
    const next = request('one')
    await expect.poll(() => waiting.length).toBe(1)
    answer()
    expect(await next).toBe('null')
  })

  it('are limited to fifty in total', async () => {
    const { request, answer, waiting } = make()
    const fifty = Array.from({ length: 50 }, (_, at) => request(`workspace ${at}`))
    expect(await request('one more')).toBe('too_many_attempts')
    await expect.poll(() => waiting.length).toBe(50)
    answer()
    await Promise.all(fifty)
  })
})
