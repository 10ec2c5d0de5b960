import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createAuthority } from '../../../tests/support/certificate.ts'
import { startDnsServer } from '../../../tests/support/dns-server.ts'
import { createTrackingHostCheck } from './tracking-host.ts'

const host = 'links.example.com'

it('a tracking host leads to its target over seven other names at most', async () => {
  await using dns = await startDnsServer()
  const { cname } = dns.records
  const check = createTrackingHostCheck({ nameServers: [dns.nameServer] })
  const over = async (names: number) => {
    cname.clear()
    for (let no = 0; no < names; no++) {
      const from = no === 0 ? host : `n${no}.example.com`
      cname.set(from, no === names - 1 ? 'target.example.com' : `n${no + 1}.example.com`)
    }
    return (await check(host, 'target.example.com'))?.kind
  }
  // The target has no address.
  expect([await over(7), await over(8)]).toEqual(['no_answer', 'loop'])
})

it('a tracking host answers with 200 and an image of 43 bytes', async () => {
  await using dns = await startDnsServer()
  dns.records.cname.set(host, 'target.example.com')
  dns.records.a.set('target.example.com', '127.0.0.1')
  const authority = createAuthority()
  const answer = { status: 200, bytes: 43 }
  const server = createServer(authority.issue(host), (_request, response) =>
    response
      .writeHead(answer.status, { 'content-type': 'image/gif', 'content-length': answer.bytes })
      .end(Buffer.alloc(answer.bytes)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const check = createTrackingHostCheck({
    nameServers: [dns.nameServer],
    port,
    ca: authority.ca,
    isAllowed: () => true,
  })
  const faultOf = async (given: Partial<typeof answer>) => {
    Object.assign(answer, { status: 200, bytes: 43 }, given)
    return check(host, 'target.example.com')
  }
  expect(await faultOf({})).toBeNull()
  for (const other of [{ status: 201 }, { bytes: 42 }, { bytes: 44 }])
    expect(await faultOf(other)).toEqual({ kind: 'not_ours' })
  server.closeAllConnections()
  server.close()
})
