import { describe, expect, it } from 'vitest'
import { mergePatch } from './merge-patch.ts'

describe('a patch', () => {
  // RFC 7396, Appendix A, if both sides are objects: a document's data always is.
  it.each<[target: object, patch: object, result: object]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('merges %j with %j into %j', (target, patch, result) => {
    expect(mergePatch(target as Record<string, unknown>, patch as Record<string, unknown>)).toEqual(result)
  })

  it('leaves both inputs unchanged', () => {
    const target = { a: { b: 1 } }
    const patch = { a: { c: 2 } }
    mergePatch(target, patch)
    expect([target, patch]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }])
  })

  it('treats a field named __proto__ like any other', () => {
    const patch = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}') as Record<
      string,
      unknown
    >
    const merged = mergePatch({}, patch)
    expect(JSON.stringify(merged)).toBe(JSON.stringify(patch))
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  })
})
