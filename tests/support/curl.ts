import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a pasted curl line and reads the JSON it prints. Null if this machine has no curl. */
export async function runCurl(line: string): Promise<unknown> {
  try {
    const { stdout } = await execute('sh', ['-c', line])
    return JSON.parse(stdout)
  } catch (error) {
    // 127: the shell found no such program.
    if ((error as { code?: unknown }).code === 127) return null
    throw error
  }
}

/** The request of one of our curl lines, for machines without curl. */
export async function fetchAsCurl(line: string): Promise<unknown> {
  const [, url = ''] = /curl (\S+)/.exec(line) ?? []
  const [, body = ''] = /-d '(.*)'$/s.exec(line.trim()) ?? []
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return response.json()
}
