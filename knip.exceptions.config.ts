import type { Preprocessor } from 'knip'

/** Exports that only tests call, by file and name, each with its reason. */
interface Options {
  testedOnly: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Takes the listed exports out of the report. Throws if one of them has a caller that ships, or no longer exists. */
const acceptTestedOnly: Preprocessor = (data) => {
  if (!data.isProduction) return data
  const { testedOnly } = JSON.parse(data.preprocessorOptions) as Options
  for (const [file, names] of Object.entries(testedOnly)) {
    const { [file]: issues = {} } = data.issues.exports
    const stale = Object.keys(names).filter((name) => !Object.hasOwn(issues, name))
    if (stale.length > 0) throw new Error(`knip.config.ts: remove ${stale.join(', ')} of ${file}, used now or gone.`)
    data.issues.exports[file] = Object.fromEntries(
      Object.entries(issues).filter(([name]) => !Object.hasOwn(names, name)),
    )
    data.counters.exports -= Object.keys(names).length
  }
  return data
}

export default acceptTestedOnly
