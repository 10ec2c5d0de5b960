import { createSocket } from 'node:dgram'

export interface DnsRecords {
  /** Targets by name, in lower case. */
  cname: Map<string, string>
  /** IPv4 addresses by name. */
  a: Map<string, string>
}

const types = { a: 1, cname: 5 } as const

/** A name server on this machine that answers A and CNAME questions from `records`; other names do not exist. */
export async function startDnsServer() {
  const records: DnsRecords = { cname: new Map(), a: new Map() }
  const socket = createSocket('udp4')
  socket.on('message', (question, peer) => socket.send(answerTo(question, records), peer.port, peer.address))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    records,
    nameServer: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

function answerTo(question: Buffer, { cname, a }: DnsRecords): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  const type = question.readUInt16BE(at + 1)
  const name = labels.join('.')
  const data =
    type === types.cname && cname.has(name)
      ? encodeName(cname.get(name) ?? '')
      : type === types.a && a.has(name)
        ? Buffer.from((a.get(name) ?? '').split('.').map(Number))
        : null
  const isKnown = cname.has(name) || a.has(name)
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(isKnown ? 0x81_80 : 0x81_83, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(data === null ? 0 : 1, 6)
  const asked = question.subarray(12, at + 5)
  if (data === null) return Buffer.concat([header, asked])
  const answer = Buffer.alloc(12)
  answer.writeUInt16BE(0xc0_0c, 0)
  answer.writeUInt16BE(type, 2)
  answer.writeUInt16BE(1, 4)
  answer.writeUInt16BE(data.length, 10)
  return Buffer.concat([header, asked, answer, data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
