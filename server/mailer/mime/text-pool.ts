import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerTask } from './text-task.ts'

/** Threads for work on large texts, so that the process goes on answering meanwhile. */
export interface TextPool {
  /**
   * Does a task as soon as a thread is free; workspaces take turns. Rejects with TextTimeoutError where it takes longer than
   * `limitMs` once begun, and with another error where its thread ended.
   */
  run: (workspaceId: string, task: WorkerTask, limitMs: number) => Promise<WorkerAnswer>
  /** Ends all threads; what has not ended rejects. */
  close: () => Promise<void>
}

/** A task was given up, for it took too long. */
export class TextTimeoutError extends Error {
  override readonly name = 'TextTimeoutError'
}

interface Waiting {
  task: WorkerTask
  limitMs: number
  resolve: (answer: WorkerAnswer) => void
  reject: (error: Error) => void
}

/** What a thread does. */
type Job = Waiting & { timer: NodeJS.Timeout }

const threadUrl = new URL('text-worker.ts', import.meta.url)
/** A thread without work is ended after this long: it holds some ten megabytes. */
const idleMs = 30_000
/** Several times what the largest mail takes. */
const heapMaxMegabytes = 512

/** `threadsMaxCount`: default one less than there are processors, at least one. */
export function createTextPool(threadsMaxCount = Math.max(1, availableParallelism() - 1)): TextPool {
  /** By workspace, in the order of their turns. */
  const waiting = new Map<string, Waiting[]>()
  const idle: { thread: Worker; timer: NodeJS.Timeout }[] = []
  const busy = new Map<Worker, Job>()
  let isClosed = false

  const takeNext = (): Waiting | null => {
    const [first] = waiting
    if (first === undefined) return null
    const [workspaceId, tasks] = first
    const next = tasks.shift() ?? null
    // Its next task comes after one of each other workspace.
    waiting.delete(workspaceId)
    if (tasks.length > 0) waiting.set(workspaceId, tasks)
    return next
  }

  const startThread = (): Worker => {
    const thread = new Worker(threadUrl, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMaxMegabytes } })
    thread.on('message', (answer: WorkerAnswer) => {
      const job = endJob(thread)
      rest(thread)
      job?.resolve(answer)
      fill()
    })
    thread.on('messageerror', (error: Error) => lose(thread, error))
    thread.on('error', (error: Error) => lose(thread, error))
    thread.on('exit', () => lose(thread, new Error('A thread for texts ended')))
    thread.unref()
    return thread
  }

  const endJob = (thread: Worker): Job | undefined => {
    const job = busy.get(thread)
    busy.delete(thread)
    if (job) clearTimeout(job.timer)
    return job
  }

  /** A thread is of no use any more; what it had in hand fails. */
  const lose = (thread: Worker, error: Error) => {
    const at = idle.findIndex((entry) => entry.thread === thread)
    if (at >= 0) idle.splice(at, 1)
    endJob(thread)?.reject(error)
    void thread.terminate()
    fill()
  }

  const takeThread = (): Worker | null => {
    const rested = idle.pop()
    if (rested) clearTimeout(rested.timer)
    return rested?.thread ?? (busy.size < threadsMaxCount ? startThread() : null)
  }

  const rest = (thread: Worker) => {
    const timer = setTimeout(() => lose(thread, new Error('Not needed')), idleMs)
    idle.push({ thread, timer: timer.unref() })
  }

  const begin = (thread: Worker, waiting: Waiting) => {
    const timer = setTimeout(() => lose(thread, new TextTimeoutError('A text took too long')), waiting.limitMs)
    busy.set(thread, { ...waiting, timer })
    try {
      thread.postMessage(waiting.task)
    } catch (error) {
      // What cannot be copied to a thread concerns its own job only.
      endJob(thread)?.reject(error instanceof Error ? error : new Error('A task could not be given', { cause: error }))
      rest(thread)
    }
  }

  const fill = () => {
    while (!isClosed && waiting.size > 0) {
      const thread = takeThread()
      const job = thread && takeNext()
      if (!thread || !job) return
      begin(thread, job)
    }
  }

  return {
    run(workspaceId, task, limitMs) {
      if (isClosed) return Promise.reject(new Error('The threads for texts were ended'))
      return new Promise((resolve, reject) => {
        const tasks = waiting.get(workspaceId) ?? []
        tasks.push({ task, limitMs, resolve, reject })
        waiting.set(workspaceId, tasks)
        fill()
      })
    },

    async close() {
      isClosed = true
      const jobs = [...busy.values(), ...[...waiting.values()].flat()]
      const threads = [...busy.keys(), ...idle.map(({ thread }) => thread)]
      for (const { timer } of [...idle, ...busy.values()]) clearTimeout(timer)
      waiting.clear()
      idle.length = 0
      busy.clear()
      for (const job of jobs) job.reject(new Error('The threads for texts were ended'))
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}
