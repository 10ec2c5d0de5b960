import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerTask } from './text-task.ts'

/** Worker threads for large texts, so that the event loop stays responsive. */
export interface TextPool {
  /**
   * Runs a task as soon as a thread is free; workspaces take turns. Rejects with TextTimeoutError if it runs longer than
   * `limitMs`, and with another error if its thread ended.
   */
  run: (workspaceId: string, task: WorkerTask, limitMs: number) => Promise<WorkerAnswer>
  /** Terminates all threads; unfinished tasks reject. */
  close: () => Promise<void>
}

/** A task exceeded its time limit. */
export class TextTimeoutError extends Error {
  override readonly name = 'TextTimeoutError'
}

interface Waiting {
  task: WorkerTask
  limitMs: number
  resolve: (answer: WorkerAnswer) => void
  reject: (error: Error) => void
}

/** The task that a thread runs. */
type Job = Waiting & { timer: NodeJS.Timeout }

const threadUrl = new URL('text-worker.ts', import.meta.url)
/** An idle thread is terminated after this time: it uses some ten megabytes. */
const idleMs = 30_000
/** Several times what the largest mail needs. */
const heapMaxMegabytes = 512

/** `threadsMaxCount`: default one less than there are processors, at least one. */
export function createTextPool(threadsMaxCount = Math.max(1, availableParallelism() - 1)): TextPool {
  /** By workspace, in round-robin order. */
  const waiting = new Map<string, Waiting[]>()
  const idle: { thread: Worker; timer: NodeJS.Timeout }[] = []
  const busy = new Map<Worker, Job>()
  let isClosed = false

  const takeNext = (): Waiting | null => {
    const [first] = waiting
    if (first === undefined) return null
    const [workspaceId, tasks] = first
    const next = tasks.shift() ?? null
    // The workspace moves to the end of the order.
    waiting.delete(workspaceId)
    if (tasks.length > 0) waiting.set(workspaceId, tasks)
    return next
  }

  const startThread = (): Worker => {
    const thread = new Worker(threadUrl, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMaxMegabytes } })
    thread.on('message', (answer: WorkerAnswer) => {
      const job = endJob(thread)
      addIdle(thread)
      job?.resolve(answer)
      assignTasks()
    })
    thread.on('messageerror', (error: Error) => discard(thread, error))
    thread.on('error', (error: Error) => discard(thread, error))
    thread.on('exit', () => discard(thread, new Error('A text thread ended')))
    thread.unref()
    return thread
  }

  const endJob = (thread: Worker): Job | undefined => {
    const job = busy.get(thread)
    busy.delete(thread)
    if (job) clearTimeout(job.timer)
    return job
  }

  /** Terminates a thread; its task fails. */
  const discard = (thread: Worker, error: Error) => {
    const at = idle.findIndex((entry) => entry.thread === thread)
    if (at >= 0) idle.splice(at, 1)
    endJob(thread)?.reject(error)
    void thread.terminate()
    assignTasks()
  }

  const takeThread = (): Worker | null => {
    const idleEntry = idle.pop()
    if (idleEntry) clearTimeout(idleEntry.timer)
    return idleEntry?.thread ?? (busy.size < threadsMaxCount ? startThread() : null)
  }

  const addIdle = (thread: Worker) => {
    const timer = setTimeout(() => discard(thread, new Error('Not needed')), idleMs)
    idle.push({ thread, timer: timer.unref() })
  }

  const startTask = (thread: Worker, waiting: Waiting) => {
    const timer = setTimeout(() => discard(thread, new TextTimeoutError('A text took too long')), waiting.limitMs)
    busy.set(thread, { ...waiting, timer })
    try {
      thread.postMessage(waiting.task)
    } catch (error) {
      // A task that cannot be cloned fails alone; the thread is still usable.
      endJob(thread)?.reject(
        error instanceof Error ? error : new Error('A task could not be sent to a thread', { cause: error }),
      )
      addIdle(thread)
    }
  }

  const assignTasks = () => {
    while (!isClosed && waiting.size > 0) {
      const thread = takeThread()
      const job = thread && takeNext()
      if (!thread || !job) return
      startTask(thread, job)
    }
  }

  return {
    run(workspaceId, task, limitMs) {
      if (isClosed) return Promise.reject(new Error('The text threads were terminated'))
      return new Promise((resolve, reject) => {
        const tasks = waiting.get(workspaceId) ?? []
        tasks.push({ task, limitMs, resolve, reject })
        waiting.set(workspaceId, tasks)
        assignTasks()
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
      for (const job of jobs) job.reject(new Error('The text threads were terminated'))
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}
