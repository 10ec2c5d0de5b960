import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { imageWidths } from '../../contract/files/image.limits.ts'
import { ImageError, type Rendition } from '../domain/images/image.ts'

const processFile = fileURLToPath(new URL('image-process.ts', import.meta.url))
const limitMs = 10_000
/** Images that are decoded at the same time; others wait. */
const processesMaxCount = 2

/** Decodes images in processes of their own, without an environment, which end after 10 s or at 256 MB. */
export function createImageRenderer() {
  const running = new Set<ChildProcess>()
  const waiting: (() => void)[] = []
  let count = 0

  async function render(file: Buffer): Promise<Rendition[]> {
    const child = spawn(execPath, [processFile, ...imageWidths.map(String)], {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    running.add(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    try {
      // A process that ends early reads no further: its exit says why.
      child.stdin.on('error', () => undefined)
      child.stdin.end(file)
      const [answer, [code]] = await Promise.all([
        buffer(child.stdout),
        once(child, 'close') as Promise<[number | null]>,
      ])
      if (code !== 0) throw new ImageError(code === null ? 'too_large' : 'unreadable')
      return readAnswer(answer)
    } finally {
      clearTimeout(timer)
      running.delete(child)
    }
  }

  return {
    /** Renditions by ascending width. Throws ImageError. */
    renderImage: async (file: Buffer): Promise<Rendition[]> => {
      if (count < processesMaxCount) count += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await render(file)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else count -= 1
      }
    },

    /** Ends what is being decoded. */
    close: () => {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

function readAnswer(answer: Buffer): Rendition[] {
  const end = answer.indexOf('\n')
  const about = JSON.parse(answer.toString('utf8', 0, end)) as (Omit<Rendition, 'bytes'> & { sizeBytes: number })[]
  let at = end + 1
  return about.map(({ sizeBytes, ...rest }) => {
    const bytes = answer.subarray(at, (at += sizeBytes))
    return { ...rest, bytes }
  })
}
