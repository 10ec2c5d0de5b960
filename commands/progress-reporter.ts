import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, TestSpecification } from 'vitest/node'

interface Project {
  leftCount: number
  passedCount: number
  failedCount: number
  startedAtMs: number
}

/**
 * Prints a line for each project when its last file has finished, each failure as soon as its file has finished, and once a
 * minute the number of remaining files.
 */
// eslint-disable-next-line no-restricted-syntax -- vitest reads the default export
export default class ProgressReporter implements Reporter {
  readonly #projects = new Map<string, Project>()
  #beat: NodeJS.Timeout | undefined

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const startedAtMs = performance.now()
    for (const { project } of specifications) {
      const one = this.#projects.get(project.name) ?? { leftCount: 0, passedCount: 0, failedCount: 0, startedAtMs }
      one.leftCount += 1
      this.#projects.set(project.name, one)
    }
    this.#beat = setInterval(() => console.log(`      files left: ${this.#left()}`), 60_000).unref()
  }

  onTestModuleStart({ project }: TestModule): void {
    const one = this.#projects.get(project.name)
    if (one && one.passedCount + one.failedCount === 0) one.startedAtMs = performance.now()
  }

  onTestModuleEnd(module: TestModule): void {
    const one = this.#projects.get(module.project.name)
    if (!one) return
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') one.passedCount += 1
      if (state === 'failed') {
        one.failedCount += 1
        printFailure(test)
      }
    }
    for (const error of module.errors()) {
      one.failedCount += 1
      printError(module.relativeModuleId, error)
    }
    one.leftCount -= 1
    if (one.leftCount === 0) printProject(module.project.name, one)
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[], _reason: TestRunEndReason): void {
    clearInterval(this.#beat)
    for (const error of errors) printError('outside a test', error)
  }

  #left(): string {
    const waiting = [...this.#projects].filter(([, { leftCount }]) => leftCount > 0)
    return waiting.map(([name, { leftCount }]) => `${name} ${leftCount}`).join(', ')
  }
}

function printProject(name: string, { passedCount, failedCount, startedAtMs }: Project): void {
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  const failed = failedCount === 0 ? '' : `, ${failedCount} failed`
  console.log(`${failedCount === 0 ? 'pass' : 'FAIL'}  tests: ${name}, ${passedCount} passed${failed} (${seconds} s)`)
}

function printFailure(test: TestCase): void {
  const place = `${test.module.relativeModuleId} > ${test.fullName}`
  for (const error of test.result().errors ?? []) printError(`${test.project.name}: ${place}`, error)
}

function printError(place: string, { message, diff, stacks, stack }: SerializedError): void {
  const at = (stacks as { file: string; line: number }[] | undefined)?.[0]
  const where = at ? `\n    at ${at.file}:${at.line}` : `\n${stack ?? ''}`
  console.log(
    stripVTControlCharacters(`FAIL  ${place}\n    ${message}${typeof diff === 'string' ? `\n${diff}` : ''}${where}`),
  )
}
