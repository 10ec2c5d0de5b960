import { cpus } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, TestSpecification } from 'vitest/node'

interface Project {
  leftCount: number
  passedCount: number
  failedCount: number
  startedAtMs: number
  /** The machine's processor time when the project started. */
  startedAtCpuMs: number
}

const slowestCount = 10
/** What a file may cost. */
const budgetCpuMs = 20_000

const beatMs = 300_000
const shortFailureLength = 600

/**
 * Prints a line for each project when its last file has finished, each failure as soon as its file has finished, every
 * five minutes the number of remaining files, and at the end the slowest files, those over the budget, the tests that passed at
 * the second attempt only, under `unsteady`, and all failures again.
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
      }
    }
    for (const error of module.errors()) {
      one.failedCount += 1
      this.#failures.push(failure(module.relativeModuleId, error))
    }
    one.leftCount -= 1
    if (one.leftCount === 0) printProject(module.project.name, one)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], _reason: TestRunEndReason): void {
    clearInterval(this.#beat)
    this.#failures.push(...errors.map((error) => failure('outside a test', error)))
    if (modules.length > slowestCount) this.#printSlowest(modules)
    for (const text of this.#unsteady) console.log(text)
    for (const text of this.#failures) console.log(text.slice(0, shortFailureLength))
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
    }))
    const sorted = timed.toSorted((one, other) => other.seconds - one.seconds)
    const line = ({ seconds, cpu, name }: (typeof timed)[number]) =>
      `      ${seconds.toFixed(1)} s, ${(cpu / 1000).toFixed(0)} CPU s ${name}`
    console.log(['      slowest files:', ...sorted.slice(0, slowestCount).map(line)].join('\n'))
    const costly = sorted.slice(slowestCount).filter(({ cpu }) => cpu > budgetCpuMs)
    if (costly.length > 0)
      console.log([`      others over ${budgetCpuMs / 1000} CPU s:`, ...costly.map(line)].join('\n'))
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
