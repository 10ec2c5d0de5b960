import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { startServerProcess } from '../tests/support/server-process.ts'
import { quantile, type Bench } from './report.ts'

const tryCount = 200
/** Failed attempts per address before it is limited. */
const triesPerAddressCount = 5

/**
 * H01: an unknown address must not be answered faster or slower than a wrong password. Every attempt comes from a client of
 * its own, and only a few are for one address: a rate-limited response would be faster than any password check.
 */
export const signInBench: Bench = {
  name: 'sign-in',
  title: `Refused sign-in, median of ${tryCount}, turn by turn`,
  async run() {
    await using folder = await temporaryFolder()
    await using server = await startServerProcess({
      environment: { PORT: '0', DATA_DIR: folder.path, WORKERS: '0', TRUSTED_PROXIES: '127.0.0.1,::1' },
    })
    const timesMs = { unknown: [] as number[], wrong: [] as number[] }
    let clientCount = 0
    const post = async (path: string, body: object, status: number) => {
      const client = ++clientCount
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${client >> 8}.${client & 255}` },
        body: JSON.stringify(body),
      })
      await response.arrayBuffer()
      if (response.status !== status) throw new Error(`${path} returned ${response.status}`)
    }
    const attempt = async (email: string, times: number[]) => {
      const startedAt = performance.now()
      await post('/auth/login', { email, password: 'not the password' }, 401)
      times.push(performance.now() - startedAt)
    }
    const nameOf = (at: number) => Math.floor(at / triesPerAddressCount)
    for (let at = 0; at < tryCount; at += triesPerAddressCount) {
      const person = {
        first_name: 'Ann',
        last_name: 'Lee',
        email: `known${nameOf(at)}@example.com`,
        password: 'secret',
      }
      await post('/auth/', person, 201)
    }
    for (let at = 0; at < tryCount; at++) {
      await attempt(`known${nameOf(at)}@example.com`, timesMs.wrong)
      await attempt(`nobody${nameOf(at)}@example.com`, timesMs.unknown)
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
