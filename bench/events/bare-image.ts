import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// `node bench/events/bare-image.ts`: answers every request with a tracking image and records nothing; prints its port.

const gif = Buffer.from('R0lGODlhAQABAPAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'image/gif', 'content-length': gif.length, 'cache-control': 'no-store' })
  response.end(gif)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
