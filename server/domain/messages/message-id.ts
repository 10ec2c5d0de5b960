/**
 * Message-ID of one recipient's mail, with angle brackets (RFC 5322 §3.6.4). It follows from the row, so every attempt
 * carries the same one and a receiver can drop a repeat.
 */
export function messageIdOf(delivery: { messageId: string; id: number; fromAddress: string }): string {
  const domain = delivery.fromAddress.slice(delivery.fromAddress.lastIndexOf('@') + 1)
  return `<${delivery.messageId}.${delivery.id}@${domain}>`
}
