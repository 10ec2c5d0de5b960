import { join } from 'node:path'
import type { ManualChunkMeta } from 'rollup'

const publicPage = /[\\/]pages[\\/](landing|auth|legal|documentation|sandbox)[\\/]/
/** They keep files of their own: other screens need the shell, and none of them the home screen. */
const apart = /[\\/](pages[\\/]home[\\/](?!screens)|dashboard-routes\.tsx$)/

/**
 * Returns whether a module belongs to the first screen of the dashboard and to no public page. Joined they are one file,
 * which compresses better than a dozen, and the modules of other screens do not change how it is cut.
 *
 * @param dashboard The folder of the dashboard's source.
 */
export function firstScreenModules(dashboard: string): (id: string, meta: ManualChunkMeta) => boolean {
  let found: ReadonlySet<string> | undefined
  return (id, meta) => {
    found ??= find(dashboard, meta)
    return found.has(id)
  }
}

function find(dashboard: string, { getModuleInfo }: ManualChunkMeta): ReadonlySet<string> {
  const withImports = (starts: readonly string[]): Set<string> => {
    const all = new Set(starts)
    for (const id of all) for (const imported of getModuleInfo(id)?.importedIds ?? []) all.add(imported)
    return all
  }
  const screens = getModuleInfo(join(dashboard, 'routes.tsx'))?.dynamicallyImportedIds ?? []
  const elsewhere = withImports([join(dashboard, 'main.tsx'), ...screens.filter((id) => publicPage.test(id))])
  const first = withImports([join(dashboard, 'dashboard-routes.tsx'), join(dashboard, 'pages/home/home-page.tsx')])
  return new Set([...first].filter((id) => !elsewhere.has(id) && !apart.test(id)))
}
