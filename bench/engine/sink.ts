import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestCertificate } from '../../tests/support/certificate.ts'

/** Host and port of the sink, by the name in its certificate. */
export const sinkHost = 'localhost'

/** Starts sink-process.ts; killed by `await using`. */
export async function startSink(
  certificate: TestCertificate,
  delayMs: number,
): Promise<{ port: number; pid: number } & AsyncDisposable> {
  const script = fileURLToPath(new URL('sink-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(delayMs)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  child.stdin.end(JSON.stringify(certificate))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    port: Number(port.toString()),
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
