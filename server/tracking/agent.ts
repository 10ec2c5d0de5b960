import { createHash } from 'node:crypto'
import Bowser from 'bowser'
import { isbot } from 'isbot'
import type { UserAgent } from '../domain/events/new-event.ts'

/** Longest text that is kept and read. */
const textMaxLength = 500

/** Key of a user agent: the first 8 bytes of the SHA-256 of its text. */
export const agentHash = (text: string): Buffer =>
  createHash('sha256').update(text.slice(0, textMaxLength)).digest().subarray(0, 8)

/** Reads a `User-Agent` header. It takes some microseconds: callers keep what they have read. */
export function describeAgent(header: string): UserAgent {
  const text = header.slice(0, textMaxLength)
  const { browser, os } = text === '' ? { browser: {}, os: {} } : Bowser.parse(text)
  return {
    hash: agentHash(text),
    text,
    family: nameOf(browser),
    os: nameOf(os),
    verdict: text === '' || isbot(text) ? 3 : null,
  }
}

const nameOf = ({ name }: { name?: string | undefined }): string | null =>
  name === undefined || name === '' ? null : name.slice(0, 60)
