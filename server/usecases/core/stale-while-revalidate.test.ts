import { expect, it } from 'vitest'
import { createStaleWhileRevalidate } from './stale-while-revalidate.ts'

function bench() {
  let nowMs = 0
  const reads: PromiseWithResolvers<number>[] = []
  const readings = createStaleWhileRevalidate(
    () => {
      const read = Promise.withResolvers<number>()
      reads.push(read)
      return read.promise
    },
    () => nowMs,
  )
  return { reads, readings, wait: (ms: number) => (nowMs += ms) }
}

it('calls within two seconds share a read', async () => {
  const { reads, readings, wait } = bench()
  const first = readings.get('a')
  wait(1999)
  expect(readings.get('a')).toBe(first)
  reads[0]?.resolve(7)
  expect([await first.value, reads.length]).toEqual([7, 1])
})

it('a stale value is served during the next read, and increments meanwhile are added to it', async () => {
  const { reads, readings, wait } = bench()
  const first = readings.get('a')
  reads[0]?.resolve(7)
  await first.value
  first.addedCount = 5
  wait(3000)
  expect(readings.get('a')).toBe(first)
  readings.get('a').addedCount += 2
  expect(reads).toHaveLength(2)
  reads[1]?.resolve(12)
  await expect.poll(() => readings.get('a')).not.toBe(first)
  const next = readings.get('a')
  expect([await next.value, next.addedCount]).toEqual([12, 2])
})

it('a slow read is cached longer', async () => {
  const { reads, readings, wait } = bench()
  const first = readings.get('a')
  wait(15)
  reads[0]?.resolve(7)
  await first.value
  wait(5900)
  readings.get('a')
  expect(reads).toHaveLength(1)
  wait(100)
  readings.get('a')
  expect(reads).toHaveLength(2)
})

it('a value of ten seconds is not served', async () => {
  const { reads, readings, wait } = bench()
  const first = readings.get('a')
  reads[0]?.resolve(7)
  await first.value
  wait(10_000)
  expect(readings.get('a')).not.toBe(first)
})

it('a stale value is served when the refresh fails, and a failure is not cached', async () => {
  const { reads, readings, wait } = bench()
  const first = readings.get('a')
  reads[0]?.resolve(7)
  await first.value
  wait(3000)
  readings.get('a')
  reads[1]?.reject(new Error('away'))
  await expect.poll(() => (readings.get('a'), reads.length)).toBe(3)
  expect(readings.get('a')).toBe(first)
  const other = readings.get('b')
  reads[3]?.reject(new Error('away'))
  await expect(other.value).rejects.toThrow('away')
  expect(readings.peek('b')).toBeUndefined()
})
