import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SinkLine } from './smtp-sink-process.ts'

/** A sink in another process, which outlives the tested sender. */
export interface SinkProcess extends AsyncDisposable {
  port: number
  /** The accepted mails, in order. */
  read: () => Promise<SinkLine[]>
}

/** Starts smtp-sink-process.ts on a new file; each mail takes twice `delayMs`. */
export async function startSinkProcess(file: string, delayMs: number): Promise<SinkProcess> {
  await writeFile(file, '')
  const script = fileURLToPath(new URL('smtp-sink-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file, String(delayMs)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    port: Number(port.toString()),
    async read() {
      const text = await readFile(file, 'utf8')
      // Text after the last line feed is still being written.
      const lines = text.split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line) as SinkLine)
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    },
  }
}
