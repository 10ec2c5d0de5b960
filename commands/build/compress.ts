import { glob, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A smaller response fits into one packet uncompressed. */
const minBytes = 512

/** Writes `.br` and `.gz` beside each text file of a folder, at maximum compression: compressed once, sent often. */
export async function compressFolder(folder: string): Promise<void> {
  const work: Promise<void>[] = []
  for await (const name of glob('**/*.{js,css,svg,txt,json}', { cwd: folder })) {
    work.push(compressFile(join(folder, name)))
  }
  await Promise.all(work)
}

async function compressFile(file: string): Promise<void> {
  if ((await stat(file)).size < minBytes) return
  const content = await readFile(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
