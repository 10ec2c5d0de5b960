import { buildHeaderParam, encodeWord } from 'nodemailer/lib/mime-funcs'
import type { EncodedAttachment } from '../../domain/messages/delivery.ts'
import type { Part } from './merge-slots.ts'

/** Longest piece of an encoded file name in one line. */
const pieceMaxChars = 50

/**
 * The body of a message with its files: those that the body shows beside it in `multipart/related`, the others after it
 * in `multipart/mixed`. `body` begins with its Content-Type. The boundaries hold `=_`, which base64 never does.
 */
export function withAttachments(
  messageId: string,
  body: readonly Part[],
  files: readonly EncodedAttachment[],
): (Part | Buffer)[] {
  const [inline, own] = [
    files.filter(({ inlineId }) => inlineId !== null),
    files.filter(({ inlineId }) => inlineId === null),
  ]
  const related = inline.length === 0 ? body : multipart('related', `=_r${messageId}`, body, inline)
  return own.length === 0 ? [...related] : multipart('mixed', `=_m${messageId}`, related, own)
}

function multipart(
  subtype: 'mixed' | 'related',
  boundary: string,
  body: readonly (Part | Buffer)[],
  files: readonly EncodedAttachment[],
): (Part | Buffer)[] {
  return [
    `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n--${boundary}\r\n`,
    ...body,
    ...files.flatMap((file): (Part | Buffer)[] => [
      `\r\n--${boundary}\r\n${headersOf(file)}\r\n`,
      // A clone of another thread is a Uint8Array.
      Buffer.from(file.encoded.buffer, file.encoded.byteOffset, file.encoded.byteLength),
    ]),
    `--${boundary}--\r\n`,
  ]
}

function headersOf({ filename, contentType, inlineId }: EncodedAttachment): string {
  const lines = [
    // Older programs read the name here, as an encoded word.
    `Content-Type: ${contentType};\r\n name="${isPlain(filename) ? filename : encodeWord(filename, 'B', 52).replaceAll(' ', '\r\n ')}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: ${inlineId === null ? 'attachment' : 'inline'};\r\n ${filenameParams(filename)}`,
    ...(inlineId === null ? [] : [`Content-ID: <${inlineId}>`]),
  ]
  return `${lines.join('\r\n')}\r\n`
}

const isPlain = (filename: string) => /^[\w .,()+@=~-]{1,60}$/.test(filename) && !filename.includes('=?')

/** RFC 2231: in UTF-8, in numbered pieces where it is long. */
function filenameParams(filename: string): string {
  if (isPlain(filename)) return `filename="${filename}"`
  return buildHeaderParam('filename', filename, pieceMaxChars)
    .map(({ key, value }) => `${key}=${key.endsWith('*') ? value : `"${value}"`}`)
    .join(';\r\n ')
}
