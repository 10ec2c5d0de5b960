import { existsSync } from 'node:fs'
import { cp, copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loaderFiles, type BuiltEmbed } from '../../../contract/embed/embed-files.ts'

/** Where the published files of the embed are, and which version is the newest. */
export interface PublishedEmbed {
  folder: string
  /** Null where nothing was built. */
  newest: BuiltEmbed | null
}

/**
 * Puts the built embed beside the versions that are there already: pages name a version, and it goes on working after an
 * upgrade. The loaders of the folder itself are the newest, and `embed.json` tells their version and hashes. Another process
 * may do the same at this moment.
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
  // The loaders come last: what is said beside them is of their version by then.
  for (const name of ['embed.json', ...loaderFiles.flatMap((file) => [file, `${file}.br`, `${file}.gz`])]) {
    const next = join(folder, `.${name}-${newId()}`)
    await copyFile(join(place, name), next)
    await rename(next, join(folder, name))
  }
  return { folder, newest }
}
