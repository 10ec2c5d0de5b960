import { createServer } from 'node:tls'

/**
 * A minimal mail server: `node sink-process.ts <delayMs>`, with key and certificate (JSON) on its standard input. Accepts
 * everything over TLS, command by command, pipelined or not; prints its port on the first line. A delay applies to each reply
 * to a message. Runs until it is killed.
 */
const delayMs = Number(process.argv[2] ?? 0)
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const { key, cert } = JSON.parse(Buffer.concat(chunks).toString()) as { key: string; cert: string }

const endOfMessage = Buffer.from('\r\n.\r\n')
const replies: Readonly<Record<string, string>> = {
  EHLO: '250-sink\r\n250-PIPELINING\r\n250-SIZE 100000000\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN\r\n',
  AUTH: '235 2.7.0 In\r\n',
  DATA: '354 Go\r\n',
  QUIT: '221 2.0.0 Bye\r\n',
}

const server = createServer({ key, cert }, (socket) => {
  let rest: Buffer = Buffer.alloc(0)
  let isInMessage = false
  let isPondering = false
  socket.setNoDelay(true)
  socket.on('error', () => undefined)

  /** Replies to the received commands; stops at a delayed reply. */
  const work = (): void => {
    let answer = ''
    for (;;) {
      const end = isInMessage ? rest.indexOf(endOfMessage) : rest.indexOf('\r\n')
      if (end < 0) break
      const line = isInMessage ? '' : rest.subarray(0, 4).toString('latin1').toUpperCase()
      rest = rest.subarray(end + (isInMessage ? endOfMessage.length : 2))
      if (isInMessage) {
        isInMessage = false
        if (delayMs > 0) {
          if (answer !== '') socket.write(answer)
          isPondering = true
          setTimeout(() => {
            isPondering = false
            socket.write('250 2.0.0 Taken\r\n')
            work()
          }, delayMs)
          return
        }
        answer += '250 2.0.0 Taken\r\n'
        continue
      }
      isInMessage = line === 'DATA'
      answer += replies[line] ?? '250 2.0.0 OK\r\n'
    }
    if (answer !== '') socket.write(answer)
  }

  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (!isPondering) work()
  })
  socket.write('220 sink ESMTP\r\n')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})
