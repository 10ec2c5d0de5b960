import { describe, expect, it } from 'vitest'
import { MergeSyntaxError } from '../../../contract/mail/merge-variables.ts'
import { serializeError } from './serialize-error.ts'

describe('a serialized error', () => {
  it('contains kind, code and source position', () => {
    const error = Object.assign(new TypeError('ann@example.com'), { code: 'ODD_ONE' })
    const facts = serializeError(error)
    expect(facts).toMatchObject({ type: 'TypeError', code: 'ODD_ONE' })
    expect(facts.at?.[0]).toMatch(/serialize-error\.test\.ts/)
  })

  it('keeps the message of the system and of PostgreSQL', () => {
    const system = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
    expect(serializeError(system).message).toBe('connect ECONNREFUSED 127.0.0.1:5432')
    const database = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
    expect(serializeError(database).message).toMatch(/administrator/)
  })

  it('H57 contains no user input: no value, no row, no statement, no template', () => {
    const canary = 'canary@example.com'
    const row = Object.assign(new Error('violates check constraint "c"'), {
      code: '23514',
      detail: `Failing row contains (${canary})`,
      where: canary,
    })
    const value = Object.assign(new Error(`invalid input syntax for type uuid: "${canary}"`), { code: '22P02' })
    const query = new Error(`Failed query: insert\nparams: ${canary}\n    at ${canary}`, { cause: row })
    const errors = [row, value, query, new MergeSyntaxError(canary, canary, 0), canary, { canary }]
    for (const error of errors) expect(JSON.stringify(serializeError(error))).not.toContain(canary)
    expect(serializeError(query).cause).toMatchObject({ code: '23514', message: 'violates check constraint "c"' })
  })

  it('has the eight innermost functions, and three causes', () => {
    const frames = (count: number) => Array.from({ length: count }, (_, no) => `f${no + 1} (file.ts:1:1)`)
    const thrown = (count: number) =>
      Object.assign(new Error('failed'), {
        stack: ['Error: failed', ...frames(count).map((frame) => `    at ${frame}`)].join('\n'),
      })
    expect(serializeError(thrown(8)).at).toEqual(frames(8))
    expect(serializeError(thrown(9)).at).toEqual(frames(8))
    const types = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
    const error = types.reduceRight<Error | undefined>(
      (cause, name) => Object.assign(new Error('failed', { cause }), { name }),
      undefined,
    )
    const shown = JSON.stringify(serializeError(error))
    expect(types.map((name) => shown.includes(name))).toEqual([true, true, true, true, false])
  })

  it('is finite for a cause that refers to itself', () => {
    const error = new Error('a')
    error.cause = error
    expect(JSON.stringify(serializeError(error)).length).toBeLessThan(20_000)
  })
})
