import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findProcesses } from '../support/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const execute = promisify(execFile)
const program = join(import.meta.dirname, '../../bench/compare/main.ts')

/**
 * A bench that notes each run and its folder in `runs.log`. `speed` is slow in the first commit. `hang` leaves a process in
 * a session of its own, as benches start servers, which works in a temporary folder.
 */
const benchScript = (speed: number, log: string) => `
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync } from 'node:fs'
const name = process.argv[2]
if (name === '--list') console.log(['speed', 'text', 'hang'].join('\\n'))
else if (!['speed', 'text', 'hang'].slice(0, ${speed}).includes(name)) {
  console.error('No bench is named ' + name + '. There are: speed.')
  process.exit(1)
} else {
  appendFileSync(${JSON.stringify(log)}, ${speed} + ' ' + process.cwd() + '\\n')
  console.log('some other line')
  const figure = { bench: 'speed', case: 'calls', value: ${speed} * 1000, unit: '/s', baseline: null, against: '' }
  if (name === 'speed') console.log(JSON.stringify(figure))
  if (name === 'hang') {
    const folder = mkdtempSync('/tmp/sendwright-hang-')
    spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)', folder], { detached: true, stdio: 'ignore' }).unref()
    appendFileSync(${JSON.stringify(log)}, 'hangs ' + folder + '\\n')
    setInterval(() => 0, 1000)
  }
}
`

interface Repository extends AsyncDisposable {
  path: string
  /** Each run: its speed and its folder. */
  runs: () => Promise<string[]>
}

/** Two commits; the second is three times as fast, and knows the benches `text` and `hang` too. */
async function createRepository(): Promise<Repository> {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'project')
  const log = join(folder.path, 'runs.log')
  const write = async (file: string, content: string) => {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), content)
  }
  const git = (...parameters: string[]) =>
    execute('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...parameters], { cwd: path })
  await write('package.json', JSON.stringify({ type: 'module', scripts: { bench: 'node bench/main.js' } }))
  await write('bench/main.js', benchScript(1, log))
  await git('init', '--quiet')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'bench: measure')
  await write('bench/main.js', benchScript(3, log))
  await git('commit', '--quiet', '--all', '--message', 'bench: run faster')
  await writeFile(log, '')
  return {
    path,
    runs: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

function start({ path }: Repository, ...words: string[]) {
  const child = spawn(process.execPath, [program, ...words], { cwd: path, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([[code], out, err]) => ({ code, out, err })) }
}

const compare = (repository: Repository, ...words: string[]) => start(repository, ...words).ended

describe('npm run bench -- compare', () => {
  it('runs both commits in turns in folders of their own, prints their ratio and leaves nothing behind', async () => {
    await using repository = await createRepository()
    const { code, out } = await compare(repository, 'HEAD~1', 'speed', '--json')
    expect(code).toBe(0)
    const [about, ...lines] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(about).toMatchObject({
      ...{ before: { subject: 'bench: measure' }, after: { subject: 'bench: run faster' } },
      ...{ pairCount: 3, changedFiles: ['bench/main.js'] },
    })
    const value = { before: 1000, after: 3000, ratio: 3, lowest: 3, highest: 3, verdict: 'better' }
    expect(lines).toMatchObject([{ case: 'calls', pairCount: 3, value, besideBaseline: null }])
    const runs = await repository.runs()
    expect(runs.map((run) => run[0]).join('')).toBe('133113')
    const folders = [...new Set(runs.map((run) => run.slice(2)))]
    expect(folders).toHaveLength(2)
    for (const folder of folders) {
      expect(folder).not.toContain(repository.path)
      await expect(readdir(dirname(folder))).rejects.toThrow('ENOENT')
    }
    const { stdout } = await execute('git', ['worktree', 'list'], { cwd: repository.path })
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })

  it('refuses what it cannot compare in one line, and leaves nothing behind', async () => {
    await using repository = await createRepository()
    const ends = [
      await compare(repository, 'nowhere', 'speed'),
      await compare(repository, 'HEAD~1', 'spede'),
      await compare(repository, 'HEAD', 'text'),
      await compare(repository, 'HEAD~1', 'text'),
    ]
    await appendFile(join(repository.path, 'bench/main.js'), '\n')
    ends.push(await compare(repository, 'HEAD~1', 'speed'))
    expect(ends.map(({ code, out }) => [code, out])).toEqual(ends.map(() => [1, '']))
    const messages = ends.map(({ err }) =>
      err
        .trim()
        .split('\n')
        .filter((line) => !line.endsWith('…')),
    )
    expect(messages).toEqual([
      [expect.stringMatching(/^No commit is named nowhere here: .*git log/)],
      ['No bench is named spede. There are: speed, text, hang.'],
      [expect.stringMatching(/^The bench text printed no line of JSON at \w{8}: choose a commit/)],
      [expect.stringMatching(/^The bench text failed at \w{8} \(No bench is named text\. .*\): choose a commit/)],
      [expect.stringMatching(/^The work tree has uncommitted changes \(bench\/main\.js\), .*commit or stash/)],
    ])
    expect(await findProcesses(repository.path)).toEqual([])
  })

  it('ends every process and removes every folder at Ctrl+C', async () => {
    await using repository = await createRepository()
    const { child, ended } = start(repository, 'HEAD', 'hang')
    const hanging = async () => (await repository.runs()).find((run) => run.startsWith('hangs'))?.slice('hangs '.length)
    await expect.poll(hanging).toBeDefined()
    const folder = (await hanging())!
    expect(await findProcesses(folder)).toHaveLength(1)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, out: '' })
    expect(await findProcesses(folder)).toEqual([])
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
    const [run] = await repository.runs()
    await expect(readdir(dirname(run!.slice(2)))).rejects.toThrow('ENOENT')
  })
})
