import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { imageWidths } from '../../contract/files/image.limits.ts'
import { ImageError, type Rendition } from '../domain/images/image.ts'

const processFile = fileURLToPath(new URL('image-process.js', import.meta.url))
const limitMs = 10_000
/** Images that are decoded at the same time; others wait. */
const processesMaxCount = 2

/** Decodes images in processes of their own, without an environment, which end after 10 s or at 256 MB. */
export function createImageRenderer() {
  const running = new Set<ChildProcess>()
  const waiting: (() => void)[] = []
  let count = 0

  function start() {
    const child = spawn(execPath, [processFile, ...imageWidths.map(String)], {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    running.add(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    const ended = (once(child, 'close') as Promise<[number | null]>).finally(() => {
      clearTimeout(timer)
      running.delete(child)
      leave()
    })
    ended.catch(() => undefined) // Awaited only where there is no answer.
    return { child, ended }
  }

  async function render({ child, ended }: ReturnType<typeof start>, file: Buffer): Promise<Rendition[]> {
    // A process that ends early reads no further: its exit says why.
    child.stdin.on('error', () => undefined)
    child.stdin.end(file)
    const renditions = readAnswer(await buffer(child.stdout))
    if (renditions) return renditions
    const [code] = await ended
    throw new ImageError(code === null ? 'too_large' : 'unreadable')
  }

  /** After the end of a process: what has an answer already still takes memory until then. */
  function leave() {
    const next = waiting.shift()
    if (next) next()
    else count -= 1
  }

  return {
    /** Renditions by ascending width. Throws ImageError. */
    renderImage: async (file: Buffer): Promise<Rendition[]> => {
      if (count < processesMaxCount) count += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let started
      try {
        started = start()
      } catch (error) {
        leave()
        throw error
      }
      return render(started, file)
    },

    /** Ends what is being decoded. */
    close: () => {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

/** Null where the process ended before it had written all of it. */
function readAnswer(answer: Buffer): Rendition[] | null {
  const end = answer.indexOf('\n')
  if (end === -1) return null
  const about = JSON.parse(answer.toString('utf8', 0, end)) as (Omit<Rendition, 'bytes'> & { sizeBytes: number })[]
  let at = end + 1
  const renditions = about.map(({ sizeBytes, ...rest }) => {
    const bytes = answer.subarray(at, (at += sizeBytes))
    return { ...rest, bytes }
  })
  return at === answer.length ? renditions : null
}
