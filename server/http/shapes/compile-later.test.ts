import { expect, it } from 'vitest'
import { compileLater } from './compile-later.ts'

it('a function that is compiled later is compiled once, at its first call', () => {
  let compiledCount = 0
  const double = compileLater((): ((given: number) => number) => {
    compiledCount += 1
    return (given) => given * 2
  })
  expect(compiledCount).toBe(0)
  expect([double(1), double(2)]).toEqual([2, 4])
  expect(compiledCount).toBe(1)
})
