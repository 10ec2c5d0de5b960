import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import type { UserConsoleLog } from 'vitest'
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'

/** The totals of a run. Errors outside a test count as failures. */
export interface TestCounts {
  passedCount: number
  failedCount: number
}

interface Project {
  leftCount: number
  passedCount: number
  failedCount: number
  startedAtMs: number
  /** The machine's processor time when the project started. */
  startedAtCpuMs: number
}

const slowestCount = 10
const usualBudgetCpuSeconds = 20

const beatMs = 300_000
const shortFailureLength = 600

/**
 * Prints a line for each project when its last file has finished, each failure as soon as its file has finished, every
 * five minutes the number of remaining files, and at the end the slowest files, those over the budget, the tests that passed at
 * the second attempt only, under `unsteady`, and all failures again. What a test writes to the console is printed if it fails.
 * `--outputFile.counts` names a file for the totals, as JSON.
 */
// oxlint-disable-next-line sendwright/exports -- vitest reads the default export
export default class ProgressReporter implements Reporter {
  readonly #projects = new Map<string, Project>()
  #beat: NodeJS.Timeout | undefined
  readonly #failures: string[] = []
  readonly #unsteady: string[] = []
  /** Processor time of each file: while files run side by side, each has an equal share of what the machine uses. */
  readonly #cpuMs = new Map<string, number>()
  readonly #running = new Set<string>()
  #sharedUntilCpuMs = 0
  /** What tests, suites and files have written to the console, by their ids. */
  readonly #written = new Map<string, string>()
  readonly #budgetCpuSeconds: number
  #countsFile: string | undefined

  /** `budgetCpuSeconds`: what a file may cost. */
  constructor({ budgetCpuSeconds = usualBudgetCpuSeconds }: { budgetCpuSeconds?: number } = {}) {
    this.#budgetCpuSeconds = budgetCpuSeconds
  }

  onInit({ config: { outputFile } }: Vitest): void {
    if (typeof outputFile === 'object') this.#countsFile = outputFile['counts']
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const start = { startedAtMs: performance.now(), startedAtCpuMs: cpuMs() }
    for (const { project } of specifications) {
      const one = this.#projects.get(project.name) ?? { leftCount: 0, passedCount: 0, failedCount: 0, ...start }
      one.leftCount += 1
      this.#projects.set(project.name, one)
    }
    this.#beat = setInterval(() => console.log(`      files left: ${this.#left()}`), beatMs).unref()
  }

  onTestModuleQueued(module: TestModule): void {
    this.#share()
    this.#running.add(nameOf(module))
  }

  onTestModuleStart({ project }: TestModule): void {
    const one = this.#projects.get(project.name)
    if (one && one.passedCount + one.failedCount === 0)
      Object.assign(one, { startedAtMs: performance.now(), startedAtCpuMs: cpuMs() })
  }

  onUserConsoleLog({ taskId = '', content }: UserConsoleLog): void {
    this.#written.set(taskId, (this.#written.get(taskId) ?? '') + content)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#share()
    this.#running.delete(nameOf(module))
    const one = this.#projects.get(module.project.name)
    if (!one) return
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') one.passedCount += 1
      if (test.diagnostic()?.flaky === true) this.#unsteady.push(unsteady(test))
      if (state === 'failed') {
        one.failedCount += 1
        this.#failures.push(...failuresOf(test))
        printWritten(test.fullName, this.#written.get(test.id))
      }
    }
    for (const error of module.errors()) {
      one.failedCount += 1
      this.#failures.push(failure(module.relativeModuleId, error))
    }
    this.#endWritten(module)
    one.leftCount -= 1
    if (one.leftCount === 0) printProject(module.project.name, one)
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    clearInterval(this.#beat)
    if (modules.length === 0) console.log('FAIL  no test file is selected')
    this.#failures.push(...errors.map((error) => failure('outside a test', error)))
    if (this.#failures.length > 0) printWritten('no test', [...this.#written.values()].join(''))
    if (modules.length > slowestCount) this.#printSlowest(modules)
    for (const text of this.#unsteady) console.log(text)
    for (const text of this.#failures) console.log(text.slice(0, shortFailureLength))
    if (this.#countsFile !== undefined) await writeFile(this.#countsFile, JSON.stringify(this.#counts(errors.length)))
  }

  #counts(errorCount: number): TestCounts {
    const projects = [...this.#projects.values()]
    return {
      passedCount: projects.reduce((sum, { passedCount }) => sum + passedCount, 0),
      failedCount: projects.reduce((sum, { failedCount }) => sum + failedCount, errorCount),
    }
  }

  /** Prints what a failed file and its suites have written, and forgets what its tests have written. */
  #endWritten(module: TestModule): void {
    const shared = [module, ...module.children.allSuites()]
    if (module.state() === 'failed')
      printWritten(module.relativeModuleId, shared.map(({ id }) => this.#written.get(id) ?? '').join(''))
    for (const { id } of [...shared, ...module.children.allTests()]) this.#written.delete(id)
  }

  #share(): void {
    const now = cpuMs()
    const each = (now - this.#sharedUntilCpuMs) / this.#running.size
    for (const name of this.#running) this.#cpuMs.set(name, (this.#cpuMs.get(name) ?? 0) + each)
    this.#sharedUntilCpuMs = now
  }

  /** The files that take longest, and the others over their budget, so that growth is seen. */
  #printSlowest(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => ({
      seconds: module.diagnostic().duration / 1000,
      cpu: this.#cpuMs.get(nameOf(module)) ?? 0,
      name: nameOf(module),
      project: module.project.name,
      path: module.relativeModuleId,
    }))
    const sorted = timed.toSorted((one, other) => other.seconds - one.seconds)
    const line = ({ seconds, cpu, name }: (typeof timed)[number]) =>
      `      ${seconds.toFixed(1)} s, ${(cpu / 1000).toFixed(0)} CPU s ${name}`
    console.log(['      slowest files:', ...sorted.slice(0, slowestCount).map(line)].join('\n'))
    const costly = sorted.slice(slowestCount).filter(({ cpu }) => cpu > this.#budgetCpuSeconds * 1000)
    const costlyOf = (list: typeof costly) =>
      list.map(({ cpu, path }) => `${(cpu / 1000).toFixed(0)} ${path}`).join(', ')
    // A line for each project: there may be many.
    const byProject = Object.entries(Object.groupBy(costly, ({ project }) => project))
    for (const [project, list = []] of byProject)
      console.log(`      others over ${this.#budgetCpuSeconds} CPU s, ${project}: ${costlyOf(list)}`)
  }

  #left(): string {
    const waiting = [...this.#projects].filter(([, { leftCount }]) => leftCount > 0)
    return waiting.map(([name, { leftCount }]) => `${name} ${leftCount}`).join(', ')
  }
}

function printProject(name: string, one: Project): void {
  const { passedCount, failedCount, startedAtMs, startedAtCpuMs } = one
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  const cpuSeconds = ((cpuMs() - startedAtCpuMs) / 1000).toFixed(0)
  const failed = failedCount === 0 ? '' : `, ${failedCount} failed`
  const outcome = `${failedCount === 0 ? 'pass' : 'FAIL'}  tests: ${name}, ${passedCount} passed${failed}`
  console.log(`${outcome} (${seconds} s, ${cpuSeconds} CPU s)`)
}

/** Processor time of the whole machine since its start: databases and browsers are no children of a test's process. */
function cpuMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

const nameOf = ({ project, relativeModuleId }: TestModule) => `${project.name}: ${relativeModuleId}`

/** A test that failed first and then passed: its first error, with what the page showed. */
function unsteady(test: TestCase): string {
  const message = stripVTControlCharacters(test.result().errors?.[0]?.message ?? '')
  return `unsteady  ${test.project.name}: ${test.module.relativeModuleId} > ${test.fullName}\n    ${message}`
}

function failuresOf(test: TestCase): string[] {
  const place = `${test.module.relativeModuleId} > ${test.fullName}`
  return (test.result().errors ?? []).map((error) => failure(`${test.project.name}: ${place}`, error))
}

/** Prints what was written to the console, below the failure that it may explain. */
function printWritten(place: string, text = ''): void {
  if (text === '') return
  const lines = stripVTControlCharacters(text).trimEnd().split('\n')
  console.log([`    written by ${place}:`, ...lines.map((line) => `    | ${line}`)].join('\n'))
}

/** Prints the error and returns its text. */
function failure(place: string, { message, diff, stacks, stack }: SerializedError): string {
  const at = (stacks as { file: string; line: number }[] | undefined)?.[0]
  const where = at ? `\n    at ${at.file}:${at.line}` : `\n${stack ?? ''}`
  const text = stripVTControlCharacters(
    `FAIL  ${place}${where}\n    ${message}${typeof diff === 'string' ? `\n${diff}` : ''}`,
  )
  console.log(text)
  return text
}
