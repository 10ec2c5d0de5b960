import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { readArguments, type CompareOptions } from './arguments.ts'
import { CompareError } from './compare-error.ts'
import { readFigures, type PrintedFigure } from './figures.ts'
import { comparePairs, orderOf, type RunPair, type Side } from './pairs.ts'
import { jsonLines, shortHash, textLines, type CompareReport, type Machine } from './print-report.ts'
import { endProcesses } from './processes.ts'
import { createPrograms, type Programs } from './programs.ts'
import { benchPaths, changedFiles, readRepository } from './repository.ts'
import { lastLine, lockFile, prepareTree, type Tree } from './trees.ts'

// `npm run bench -- compare <commit> <bench> [--pairs=3] [--json]`: a bench in turns on a commit and on HEAD, each built in a
// folder of its own. The report goes to standard output, progress to standard error. The folders and all processes are
// removed at the end, also of a failure or an interruption.

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
if (process.channel) process.on('disconnect', () => interrupted.abort())

const interruptedStatus = 130
const progress = (line: string) => process.stderr.write(`${line}\n`)

try {
  const options = readArguments(process.argv.slice(2))
  const report = await inTemporaryFolder((folder, programs) => compare(options, folder, programs))
  for (const line of options.isJson ? jsonLines(report) : textLines(report)) console.log(line)
  process.exit(0)
} catch (error) {
  if (interrupted.signal.aborted) progress('Interrupted: nothing is compared.')
  else if (error instanceof CompareError) progress(error.message)
  else throw error
  process.exit(interrupted.signal.aborted ? interruptedStatus : 1)
}

async function inTemporaryFolder<T>(work: (folder: string, programs: Programs) => Promise<T>): Promise<T> {
  const since = new Date()
  // PostgreSQL's user must have access, and root's TMPDIR may be closed to it.
  const folder = await mkdtemp(join(process.geteuid?.() === 0 ? '/tmp' : tmpdir(), 'sendwright-compare-'))
  const endAll = () => endProcesses(folder, since)
  try {
    await chmod(folder, 0o711)
    return await work(folder, createPrograms(interrupted.signal, endAll))
  } finally {
    await endAll()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function compare(options: CompareOptions, folder: string, programs: Programs): Promise<CompareReport> {
  const { bench, pairCount } = options
  const machine = readMachine()
  const { root: repository, commits } = await readRepository(process.cwd(), options.commit, programs)
  await checkBench(repository, bench, programs)
  const trees = {
    before: { commit: commits.before, path: join(folder, 'before') },
    after: { commit: commits.after, path: join(folder, 'after') },
  }
  for (const tree of Object.values(trees)) {
    progress(`Building ${shortHash(tree.commit)} …`)
    await prepareTree({ ...tree, repository, programs, signal: interrupted.signal })
  }
  const pairs: RunPair[] = []
  for (let pair = 0; pair < pairCount; pair++) {
    const figures: Record<Side, PrintedFigure[]> = { before: [], after: [] }
    for (const side of orderOf(pair)) {
      progress(`Pair ${pair + 1} of ${pairCount}: ${bench} at ${shortHash(commits[side])} (${side}) …`)
      figures[side] = await runBench(trees[side], bench, programs)
    }
    pairs.push(figures)
  }
  return {
    ...{ bench, ...commits, pairCount, machine },
    changedFiles: await changedFiles(repository, commits, benchPaths, programs),
    hasSamePackages: (await changedFiles(repository, commits, [lockFile], programs)).length === 0,
    ...comparePairs(pairs),
  }
}

/** Before anything is built: a name that HEAD does not know is mistyped. */
async function checkBench(repository: string, bench: string, programs: Programs): Promise<void> {
  const { status, out, err } = await programs.run(repository, 'npm', 'run', '--silent', 'bench', '--', '--list')
  const names = out.split('\n').filter(Boolean)
  if (status !== 0) throw new CompareError(`npm run bench -- --list failed (${lastLine({ status, out, err })}).`)
  if (!names.includes(bench)) throw new CompareError(`No bench is named ${bench}. There are: ${names.join(', ')}.`)
}

async function runBench({ commit, path }: Tree, bench: string, programs: Programs): Promise<PrintedFigure[]> {
  const result = await programs.runAlone(path, 'npm', 'run', '--silent', 'bench', '--', bench, '--json')
  const at = shortHash(commit)
  if (result.status !== 0) {
    throw new CompareError(`The bench ${bench} failed at ${at} (${lastLine(result)}): choose a commit where it runs.`)
  }
  const figures = readFigures(result.out)
  if (figures.length > 0) return figures
  throw new CompareError(
    `The bench ${bench} printed no line of JSON at ${at}: choose a commit whose benches know --json.`,
  )
}

function readMachine(): Machine {
  const memoryGiB = Math.round(totalmem() / 2 ** 30)
  return { coreCount: availableParallelism(), memoryGiB, load: loadavg()[0] ?? 0 }
}
