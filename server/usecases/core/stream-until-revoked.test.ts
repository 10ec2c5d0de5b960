import { syncBuiltinESMExports } from 'node:module'
import { mock } from 'node:test'
import { afterEach, expect, it } from 'vitest'
import { streamUntilRevoked } from './stream-until-revoked.ts'

afterEach(() => {
  mock.timers.reset()
  syncBuiltinESMExports()
})

it('a silent stream ends half a second after the revocation', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  syncBuiltinESMExports()
  const silence = Promise.withResolvers<undefined>()
  let isLive = true
  let isDone = false
  async function* events() {
    yield 'progress'
    await silence.promise
  }
  const stream = streamUntilRevoked(events(), () => Promise.resolve(isLive))
  expect((await stream.next()).value).toBe('progress')
  const ended = stream.next().then(() => (isDone = true))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  mock.timers.tick(500)
  await settle()
  isLive = false
  mock.timers.tick(499)
  await settle()
  expect(isDone).toBe(false)
  mock.timers.tick(1)
  await ended
  silence.resolve(undefined)
})
