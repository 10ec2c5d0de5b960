import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { RecordedHit } from '../../domain/tracking/hit.ts'
import { createTrackingDoor } from './door.ts'

it.each([
  ['counts, whose recipients share a token, per network', 0, 2 * 200],
  ['identified for each recipient, whatever the network', 7, 200],
])('records 200 hits a minute in mode %s', (_mode, deliveryId, expected) => {
  const kept: RecordedHit[] = []
  let network = ''
  const door = createTrackingDoor({
    readOpen: () => ({ workspaceNo: 1, month: '2026-11-01', messageId: 'm', deliveryId }),
    readClick: () => null,
    journal: {
      append(hit, onWritten) {
        kept.push(hit)
        onWritten(true)
      },
    },
    describeNetwork: () => ({ netHash: Buffer.from(network), netLabel: null }),
    clientAddress: () => network,
    isTrackingHost: () => false,
    now: () => new Date('2026-11-26T10:00:00Z'),
    noteHit: () => undefined,
  })
  const request = { method: 'GET', url: '/o/token.gif', headers: {} } as unknown as IncomingMessage
  const response = { writeHead: () => undefined, end: () => undefined } as unknown as ServerResponse
  for (network of ['home', 'work']) for (let count = 0; count < 250; count++) door.handle(request, response)
  expect(kept).toHaveLength(expected)
})
