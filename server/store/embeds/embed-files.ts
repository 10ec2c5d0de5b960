import { existsSync } from 'node:fs'
import { cp, copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loaderFiles, type BuiltEmbed } from '../../../contract/embed/embed-files.ts'

/** The folder of the published embed files, and the newest version. */
export interface PublishedEmbed {
  folder: string
  /** Null if nothing was built. */
  newest: BuiltEmbed | null
}

/**
 * Publishes the built embed beside earlier versions: pages pin a version, which works after an upgrade. The loaders in
 * the folder itself are the newest; `embed.json` holds their version and hashes. Safe for concurrent processes.
 */
export async function publishEmbed(builtFolder: string, dataDir: string, newId: () => string): Promise<PublishedEmbed> {
  const folder = join(dataDir, 'embed')
  await mkdir(folder, { recursive: true })
  const about = await readFile(join(builtFolder, 'embed.json'), 'utf8').catch(() => null)
  if (about === null) return { folder, newest: null }
  const newest = JSON.parse(about) as BuiltEmbed
  const place = join(folder, newest.version)
  if (!existsSync(place)) {
    const next = join(folder, `.next-${newId()}`)
    await cp(builtFolder, next, { recursive: true })
    try {
      await rename(next, place)
    } catch (error) {
      await rm(next, { recursive: true, force: true })
      if (!existsSync(place)) throw error // Otherwise another process was faster.
    }
  }
  // The loaders are copied last, after the files that they load.
  for (const name of ['embed.json', ...loaderFiles.flatMap((file) => [file, `${file}.br`, `${file}.gz`])]) {
    const next = join(folder, `.${name}-${newId()}`)
    await copyFile(join(place, name), next)
    await rename(next, join(folder, name))
  }
  return { folder, newest }
}
