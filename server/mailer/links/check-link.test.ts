import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLink } from './check-link.ts'

const site = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/here' }).end()
  else if (request.url === '/inside') response.writeHead(302, { location: 'http://[::1]:1/x' }).end()
  else if (request.url === '/get-only' && request.method === 'HEAD') response.writeHead(405).end()
  else response.writeHead(request.url === '/gone' ? 404 : 200).end()
})
let siteUrl: string
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

it('CHECK-04 The check reports a link that answers with an error or not at all', async () => {
  const isAllowed = () => true
  expect(await checkLink(`${siteUrl}/gone`, { isAllowed })).toEqual({ kind: 'answered', status: 404 })
  expect(await checkLink(`${siteUrl}/moved`, { isAllowed })).toEqual({ kind: 'answered', status: 200 })
  expect(await checkLink(`${siteUrl}/get-only`, { isAllowed })).toEqual({ kind: 'answered', status: 200 })
  expect(await checkLink('http://127.0.0.1:1/', { isAllowed })).toEqual({ kind: 'silent' })
  expect(await checkLink('https://no-such-host.invalid/', { isAllowed })).toEqual({ kind: 'silent' })
})

it('CHECK-16 The check of links opens no address in a private or loopback network, not by a redirect either.', async () => {
  expect(await checkLink(`${siteUrl}/inside`, { isAllowed: (address) => address === '127.0.0.1' })).toEqual({
    kind: 'refused',
  })
})
