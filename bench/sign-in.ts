import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import { quantile, type Bench } from './report.ts'

const tryCount = 200

/** H01: an unknown address must not answer faster or slower than a wrong password. */
export const signInBench: Bench = {
  name: 'sign-in',
  title: `Refused sign-in, median of ${tryCount}, turn by turn`,
  async run() {
    await using folder = await temporaryFolder()
    await using server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: folder.path, WORKERS: '0' } })
    const timesMs = { unknown: [] as number[], wrong: [] as number[] }
    const attempt = async (email: string, times: number[]) => {
      const startedAt = performance.now()
      const response = await fetch(`${server.url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'not the password' }),
      })
      await response.arrayBuffer()
      times.push(performance.now() - startedAt)
      if (response.status !== 401) throw new Error(`a sign-in answered ${response.status}`)
    }
    for (let at = 0; at < tryCount; at++) {
      await attempt('demo@localhost', timesMs.wrong)
      await attempt(`nobody${at}@example.com`, timesMs.unknown)
    }
    await server.end('SIGTERM')
    const baseline = quantile(timesMs.wrong, 0.5)
    return [
      {
        case: 'unknown address',
        value: quantile(timesMs.unknown, 0.5),
        unit: 'ms',
        baseline,
        against: 'wrong password',
      },
    ]
  },
}
