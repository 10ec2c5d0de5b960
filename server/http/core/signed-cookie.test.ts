import fastifyCookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { createSignedCookie } from './signed-cookie.ts'

let nowMs = 1_000_000
const world = { isSecure: false, now: () => new Date(nowMs) }
const shape = { path: '/', sameSite: 'lax', lifeSeconds: 60 } as const
const one = createSignedCookie<{ id: string }>({ ...shape, name: 'one' }, world)
const other = createSignedCookie<{ id: string }>({ ...shape, name: 'other' }, world)

async function start() {
  const app = Fastify()
  await app.register(fastifyCookie, { secret: Buffer.alloc(32, 7) })
  app.get('/set', (_request, reply) => {
    one.set(reply, { id: 'é 1' })
    return {}
  })
  app.get('/read', (request) => ({ one: one.read(request), other: other.read(request) }))
  app.get('/plain', (_request, reply) => reply.setCookie('one', 'not ours to read', { signed: true }).send({}))
  const cookie = (await app.inject('/set')).cookies[0]!
  const read = async (cookies: Record<string, string>) =>
    (await app.inject({ url: '/read', cookies })).json<{ one: unknown; other: unknown }>()
  return { app, cookie, read }
}

it('returns the stored value, HttpOnly and SameSite', async () => {
  const { cookie, read } = await start()
  expect(cookie).toMatchObject({ name: 'one', httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 60 })
  expect(await read({ one: cookie.value })).toEqual({ one: { id: 'é 1' }, other: null })
})

it('returns nothing for a cookie with another name, changed, of another kind, or expired', async () => {
  const { app, cookie, read } = await start()
  expect((await read({ other: cookie.value })).other).toBeNull()
  expect((await read({ one: cookie.value.replace(/.$/, 'A').replace(/^./, 'x') })).one).toBeNull()
  expect((await read({ one: 'WyJvbmUiXQ' })).one).toBeNull()
  expect((await read({ one: (await app.inject('/plain')).cookies[0]!.value })).one).toBeNull()
  nowMs += 60_000
  expect((await read({ one: cookie.value })).one).toBeNull()
})

it('over https has the __Host- prefix and the Secure attribute', async () => {
  const app = Fastify()
  await app.register(fastifyCookie, { secret: Buffer.alloc(32, 7) })
  const secure = createSignedCookie({ ...shape, name: 'one' }, { ...world, isSecure: true })
  app.get('/set', (_request, reply) => {
    secure.set(reply, 1)
    return {}
  })
  expect((await app.inject('/set')).cookies[0]).toMatchObject({ name: '__Host-one', secure: true, path: '/' })
})
