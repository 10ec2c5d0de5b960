import { describe, expect, it } from 'vitest'
import { zip } from '../../../tests/support/archives.ts'
import { cleanFilename } from './attachment.ts'
import { findRefusal } from './check-file.ts'

const names = (count: number) => Array.from({ length: count }, (_, no) => `${no}.txt`)

/** A TAR archive of empty files. */
function tar(files: readonly string[]): Buffer {
  const blocks = Buffer.alloc((files.length + 2) * 512)
  for (const [no, name] of files.entries()) {
    blocks.write(name, no * 512)
    blocks.write('ustar', no * 512 + 257)
  }
  return blocks
}

/** An archive with a comment behind its directory. */
function withComment(archive: Buffer, commentBytes: number): Buffer {
  const file = Buffer.concat([archive, Buffer.alloc(commentBytes, 'c')])
  file.writeUInt16LE(Math.min(commentBytes, 0xffff), archive.length - 2)
  return file
}

describe('an archive', () => {
  const many = 'The archive holds more than 10,000 files. Send fewer, or link to it.'

  it('of 10,000 files is taken, and one of 10,001 refused', async () => {
    const zipOf = (count: number) => zip(Object.fromEntries(names(count).map((name) => [name, ''])))
    expect(await findRefusal('a.zip', zipOf(10_000))).toBeNull()
    expect(await findRefusal('a.zip', zipOf(10_001))).toBe(many)
    expect(await findRefusal('a.tar', tar(names(10_000)))).toBeNull()
    expect(await findRefusal('a.tar', tar(names(10_001)))).toBe(many)
  })

  it('is examined to its last file', async () => {
    const refused = /holds a program/
    expect(await findRefusal('a.zip', zip({ 'a.txt': 'a', 'b.exe': '' }))).toMatch(refused)
    expect(await findRefusal('a.tar', tar([...names(200), 'b.exe']))).toMatch(refused)
    expect(await findRefusal('a.tar', tar([`${'n'.repeat(96)}.exe`]))).toMatch(refused)
  })

  it('may have a comment of up to 65,535 bytes, which is all that ZIP knows', async () => {
    const archive = zip({ 'a.txt': 'a' })
    expect(await findRefusal('a.zip', withComment(archive, 65_535))).toBeNull()
    expect(await findRefusal('a.zip', withComment(archive, 65_536))).toBe('The archive is damaged. Pack it again.')
  })

  it('without a file, of 22 bytes, is one; with a byte less it is a file of any kind', async () => {
    const empty = zip({})
    expect(empty).toHaveLength(22)
    expect(await findRefusal('a.zip', empty)).toBeNull()
    expect(await findRefusal('a.zip', withComment(empty, 1))).toBeNull()
    expect(await findRefusal('a.zip', empty.subarray(0, 21))).toBeNull()
  })
})

describe('the name of a file', () => {
  it('loses all dots and blanks at its end before its kind is read', async () => {
    for (const end of [' ', '.', ' '.repeat(21), '.'.repeat(21), '. '.repeat(30_000)])
      expect(await findRefusal(`setup.exe${end}`, Buffer.from('a'))).toMatch(/Programs/)
  })

  it('has up to 200 characters, and is cut before an extension of up to 15 letters', () => {
    expect(cleanFilename('n'.repeat(200))).toBe('n'.repeat(200))
    expect(cleanFilename('n'.repeat(201))).toBe('n'.repeat(200))
    expect(cleanFilename(`${'n'.repeat(196)}.txt`)).toBe(`${'n'.repeat(196)}.txt`)
    expect(cleanFilename(`${'n'.repeat(197)}.txt`)).toBe(`${'n'.repeat(196)}.txt`)
    expect(cleanFilename(`${'n'.repeat(300)}.${'e'.repeat(15)}`)).toBe(`${'n'.repeat(184)}.${'e'.repeat(15)}`)
    expect(cleanFilename(`${'n'.repeat(300)}.${'e'.repeat(16)}`)).toBe('n'.repeat(200))
  })
})
