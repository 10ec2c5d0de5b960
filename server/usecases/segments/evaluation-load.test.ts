import { expect, it } from 'vitest'
import { createEvaluationLoad } from './evaluation-load.ts'

/** A piece of work that ends on demand. */
function heldWork() {
  let begin = () => {}
  let end = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const over = new Promise<void>((resolve) => (end = resolve))
  let isBegun = false
  const work = async () => {
    isBegun = true
    begin()
    await over
  }
  return { work, begun, end: () => end(), isBegun: () => isBegun }
}

it('evaluates one rule of a workspace at a time, and those of others beside it', async () => {
  const load = createEvaluationLoad({ isSending: () => Promise.resolve(false) })
  const [first, second, other] = [heldWork(), heldWork(), heldWork()]
  const runs = [load.run('a', first.work), load.run('a', second.work), load.run('b', other.work)]
  await first.begun
  await other.begun
  expect(second.isBegun()).toBe(false)
  first.end()
  await second.begun
  second.end()
  other.end()
  await Promise.all(runs)
})

it('goes on after an evaluation that failed', async () => {
  const load = createEvaluationLoad({ isSending: () => Promise.resolve(false) })
  await expect(load.run('a', () => Promise.reject(new Error('too slow')))).rejects.toThrow('too slow')
  expect(await load.run('a', () => Promise.resolve(1))).toBe(1)
})

it('evaluates four rules of all workspaces at a time', async () => {
  const load = createEvaluationLoad({ isSending: () => Promise.resolve(false) })
  const works = Array.from({ length: 5 }, heldWork)
  const runs = works.map(({ work }, at) => load.run(`workspace ${at}`, work))
  await Promise.all(works.slice(0, 4).map(({ begun }) => begun))
  expect(works[4]?.isBegun()).toBe(false)
  works[0]?.end()
  await works[4]?.begun
  for (const { end } of works) end()
  await Promise.all(runs)
})

it('takes a tenth of the time while mails are being sent', async () => {
  const load = createEvaluationLoad({ isSending: () => Promise.resolve(true) })
  const workMs = 10
  const busy = () => {
    const startedAt = performance.now()
    while (performance.now() - startedAt < workMs);
    return Promise.resolve(startedAt)
  }
  const [first, second] = await Promise.all([load.run('a', busy), load.run('a', busy)])
  expect(second - first).toBeGreaterThanOrEqual(10 * workMs)
})
