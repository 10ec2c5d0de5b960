import { templatesCollection } from '../../../contract/hosted/hosted.limits.ts'
import { isTooLarge } from '../../domain/hosted/document-size.ts'
import type { Seed } from '../../domain/auth/hosted.ts'
import type { HostedSeedStore } from '../../store/hosted/hosted-seed.ts'

interface Ports {
  /** The templates of this release; null where none were built. */
  readLibrary: () => Promise<Seed[] | null>
  seeds: Pick<HostedSeedStore, 'apply'>
  log: { info: (fields: object, message: string) => void; error: (fields: object, message: string) => void }
}

/**
 * Updates the library of global templates to this release: adds new ones and renews unmodified ones. Templates that the
 * operator has changed or deleted stay so. A library that cannot be used is logged; the start continues.
 */
export function createSeedLibrary({ readLibrary, seeds, log }: Ports) {
  return async (): Promise<void> => {
    try {
      const library = await readLibrary()
      if (library === null) {
        log.info({}, 'No library of templates was built: the templates stay as they are')
        return
      }
      const fitting = library.filter(({ data }) => !isTooLarge(data))
      if (fitting.length < library.length) log.error({}, 'The library holds templates over 256 kB: they are left out')
      const { createdCount, updatedCount } = await seeds.apply(templatesCollection, fitting)
      if (createdCount + updatedCount > 0)
        log.info({ createdCount, updatedCount }, 'The library of templates is seeded')
    } catch (error) {
      log.error({ err: error }, 'The library of templates cannot be used: the templates stay as they are')
    }
  }
}
