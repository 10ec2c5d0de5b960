import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page of a third-party site, on an origin of its own. */
export interface HostPage extends AsyncDisposable {
  origin: string
}

/** Serves one page of HTML at every path, with the given headers. */
export async function serveHostPage(html: string, headers: Record<string, string> = {}): Promise<HostPage> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(html)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
