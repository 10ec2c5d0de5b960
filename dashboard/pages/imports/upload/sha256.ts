/** Integers of `count` primes: 32 bits behind the binary point of their square or cube root (FIPS 180-4 §4.2.2, §5.3.3). */
function rootBits(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32)
}

const roundConstants = rootBits(64, Math.cbrt)
const blockBytes = 64
const at = (from: ArrayLike<number>, index: number) => from[index] ?? 0
const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

/** SHA-256 (FIPS 180-4) of bytes that come in pieces: `crypto.subtle` takes whole files only, and none without HTTPS. */
export function createSha256() {
  const hash = rootBits(8, Math.sqrt)
  const words = new Int32Array(64)
  const block = new Uint8Array(blockBytes)
  let blockFill = 0
  let totalBytes = 0

  function compress(bytes: Uint8Array, start: number): void {
    for (let i = 0, from = start; i < 16; i += 1, from += 4)
      words[i] =
        (at(bytes, from) << 24) | (at(bytes, from + 1) << 16) | (at(bytes, from + 2) << 8) | at(bytes, from + 3)
    for (let i = 16; i < 64; i += 1) {
      const early = at(words, i - 15)
      const late = at(words, i - 2)
      const mixedEarly = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
      const mixedLate = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[i] = (at(words, i - 16) + mixedEarly + at(words, i - 7) + mixedLate) | 0
    }
    let a = at(hash, 0)
    let b = at(hash, 1)
    let c = at(hash, 2)
    let d = at(hash, 3)
    let e = at(hash, 4)
    let f = at(hash, 5)
    let g = at(hash, 6)
    let h = at(hash, 7)
    for (let i = 0; i < 64; i += 1) {
      const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const first = (h + mixed + ((e & f) ^ (~e & g)) + at(roundConstants, i) + at(words, i)) | 0
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    hash[0] = at(hash, 0) + a
    hash[1] = at(hash, 1) + b
    hash[2] = at(hash, 2) + c
    hash[3] = at(hash, 3) + d
    hash[4] = at(hash, 4) + e
    hash[5] = at(hash, 5) + f
    hash[6] = at(hash, 6) + g
    hash[7] = at(hash, 7) + h
  }

  return {
    update(bytes: Uint8Array): void {
      totalBytes += bytes.length
      let start = 0
      if (blockFill > 0) {
        start = Math.min(blockBytes - blockFill, bytes.length)
        block.set(bytes.subarray(0, start), blockFill)
        blockFill += start
        if (blockFill < blockBytes) return
        compress(block, 0)
      }
      for (; start + blockBytes <= bytes.length; start += blockBytes) compress(bytes, start)
      block.set(bytes.subarray(start))
      blockFill = bytes.length - start
    },

    /** The sum, hexadecimal. Call it once. */
    digest(): string {
      const end = new Uint8Array(blockFill < 56 ? blockBytes : 2 * blockBytes)
      end.set(block.subarray(0, blockFill))
      end[blockFill] = 0x80
      new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(totalBytes) * 8n)
      for (let start = 0; start < end.length; start += blockBytes) compress(end, start)
      return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}
