import type { TextEncoding } from './csv.ts'

export interface DetectedEncoding {
  encoding: TextEncoding
  /** Bytes of the byte order mark. */
  bomBytes: number
}

/**
 * Encoding of a file from its first bytes, null where none fits: byte order mark, UTF-16 by its zero bytes, valid UTF-8, then
 * Windows-1252 unless the sample has bytes that only Mac Roman uses for letters. The sample may end inside a character.
 */
export function detectEncoding(sample: Uint8Array): DetectedEncoding | null {
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return { encoding: 'utf-8', bomBytes: 3 }
  if (sample[0] === 0xff && sample[1] === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 }
  if (sample[0] === 0xfe && sample[1] === 0xff) return { encoding: 'utf-16be', bomBytes: 2 }
  const zeros = countZeros(sample)
  const pairs = sample.length / 2
  // Latin text in UTF-16 has a zero in nearly every pair, always on the same side.
  if (zeros.odd > pairs * 0.4 && zeros.even < pairs * 0.05) return { encoding: 'utf-16le', bomBytes: 0 }
  if (zeros.even > pairs * 0.4 && zeros.odd < pairs * 0.05) return { encoding: 'utf-16be', bomBytes: 0 }
  if (zeros.odd + zeros.even > sample.length * 0.05) return null
  if (isUtf8(sample)) return { encoding: 'utf-8', bomBytes: 0 }
  return { encoding: looksLikeMacRoman(sample) ? 'macintosh' : 'windows-1252', bomBytes: 0 }
}

function countZeros(sample: Uint8Array): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 }
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1
  return zeros
}

/** Whether the bytes are UTF-8, but for a character that the end cuts off. */
function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Bytes that Windows-1252 leaves undefined, and letters of Mac Roman that are rare signs in Windows-1252. */
const undefinedInWindows = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
const macLetters = new Set([0x80, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8e, 0x9a, 0x9f, 0xa7])
const windowsLetters = new Set([
  0xc4, 0xd6, 0xdc, 0xdf, 0xe0, 0xe1, 0xe4, 0xe7, 0xe8, 0xe9, 0xea, 0xed, 0xf1, 0xf3, 0xf6, 0xfc,
])

function looksLikeMacRoman(sample: Uint8Array): boolean {
  let mac = 0
  let windows = 0
  for (const byte of sample) {
    if (undefinedInWindows.has(byte)) mac += 3
    else if (macLetters.has(byte)) mac += 1
    else if (windowsLetters.has(byte)) windows += 1
  }
  return mac > windows
}
