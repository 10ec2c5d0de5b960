import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLink } from './check-link.ts'

const site = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/here' }).end()
  else if (request.url === '/inside') response.writeHead(302, { location: 'http://[::1]:1/x' }).end()
  else if (request.url === '/get-only' && request.method === 'HEAD') response.writeHead(405).end()
  else if (request.url?.startsWith('/status/') === true)
    response.writeHead(Number(request.url.slice(8)), { location: '/gone' }).end()
  else if (request.url?.startsWith('/hops/') === true)
    response.writeHead(302, { location: `/hops/${Number(request.url.slice(6)) - 1}`.replace('/hops/0', '/here') }).end()
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

it('a link is followed over three redirects, which are answers of 300 to 399', async () => {
  const statusOf = async (path: string) => checkLink(`${siteUrl}${path}`, { isAllowed: () => true })
  expect(await statusOf('/hops/3')).toEqual({ kind: 'answered', status: 200 })
  expect(await statusOf('/hops/4')).toEqual({ kind: 'answered', status: 302 })
  const statuses = [299, 300, 399, 400].map(async (status) => statusOf(`/status/${status}`))
  expect(await Promise.all(statuses)).toMatchObject([
    { status: 299 },
    { status: 404 },
    { status: 404 },
    { status: 400 },
  ])
})
