import type { RecordedHit } from '../../domain/tracking/hit.ts'

const version = 1
/** Length, version, kind, flags, time, workspace, month, message, delivery, link, network hash, network label. */
const headBytes = 2 + 1 + 1 + 1 + 6 + 4 + 10 + 16 + 6 + 2 + 8 + 2
export const agentMaxBytes = 512

/** One hit in bytes. The first two hold the length of the whole. */
export function encodeHit(hit: RecordedHit): Buffer {
  const agent = Buffer.from(hit.agent).subarray(0, agentMaxBytes)
  const bytes = Buffer.alloc(headBytes + agent.length)
  let at = bytes.writeUInt16BE(bytes.length, 0)
  at = bytes.writeUInt8(version, at)
  at = bytes.writeUInt8(hit.kind === 'opened' ? 1 : 2, at)
  at = bytes.writeUInt8(hit.flags, at)
  at = bytes.writeUIntBE(hit.at.getTime(), at, 6)
  at = bytes.writeUInt32BE(hit.mail.workspaceNo, at)
  at += bytes.write(hit.mail.month, at, 10, 'latin1')
  at += bytes.write(hit.mail.messageId.replaceAll('-', ''), at, 'hex')
  at = bytes.writeUIntBE(hit.mail.deliveryId, at, 6)
  at = bytes.writeUInt16BE(hit.linkNo ?? 0, at)
  at += hit.netHash.copy(bytes, at, 0, 8)
  at = bytes.writeInt16BE(hit.netLabel ?? -1, at)
  agent.copy(bytes, at)
  return bytes
}

/** The hit that begins at a place, and where it ends; null where none is complete. */
export function decodeHit(bytes: Buffer, start: number): { hit: RecordedHit; end: number } | null {
  if (start + headBytes > bytes.length) return null
  const end = start + bytes.readUInt16BE(start)
  if (end < start + headBytes || end > bytes.length || bytes[start + 2] !== version) return null
  let at = start + 3
  const take = (count: number) => (at += count) - count
  const kind = bytes[take(1)] === 1 ? 'opened' : 'clicked'
  const flags = bytes.readUInt8(take(1))
  const time = new Date(bytes.readUIntBE(take(6), 6))
  const workspaceNo = bytes.readUInt32BE(take(4))
  const month = bytes.toString('latin1', at, take(10) + 10)
  const id = bytes.toString('hex', at, take(16) + 16)
  const messageId = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
  const deliveryId = bytes.readUIntBE(take(6), 6)
  const linkNo = bytes.readUInt16BE(take(2))
  const netHash = Buffer.from(bytes.subarray(at, take(8) + 8))
  const netLabel = bytes.readInt16BE(take(2))
  const hit: RecordedHit = {
    at: time,
    kind,
    mail: { workspaceNo, month, messageId, deliveryId },
    linkNo: linkNo === 0 ? null : linkNo,
    agent: bytes.toString('utf8', at, end),
    netHash,
    netLabel: netLabel < 0 ? null : netLabel,
    flags,
  }
  return { hit, end }
}
