import { join } from 'node:path'
import { prepareEmbed } from './demo-embed.ts'
import { readPageKey, startHostedData } from './hosted-data/site.ts'
import { startOwnServer } from './own-server.ts'
import { exampleTitles, startExamples, type ExampleName } from './sites.ts'

// `npm run examples`: the sites of this folder, each on an origin of its own, and a server for them; SENDWRIGHT_URL names
// a running one instead, and DATA_DIR its data folder.

const firstPort = 4101
const data = join(import.meta.dirname, '../data')
const named = setting('SENDWRIGHT_URL')?.replace(/\/$/, '') ?? null

const ending = Promise.withResolvers<number>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.resolve(0))
// The parent process has exited: no other process would stop this one.
if (process.channel) process.on('disconnect', () => ending.resolve(0))

process.exit(await run())

/** Runs until it is stopped, or the server exits; returns the exit code. */
async function run(): Promise<number> {
  const dataDir = setting('DATA_DIR') ?? (named === null ? join(data, 'examples') : data)
  const server = named === null ? startOwnServer(dataDir, process.env) : null
  void server?.ended.then(() => ending.resolve(1))
  const starting = startExamples(firstPort)
  const startingHosted = startHostedData()
  const show = async () => {
    const sites = await starting
    const api = server === null ? (named ?? '') : await server.url
    const { demo, ...embed } = await prepareEmbed(api, dataDir, Object.values(sites.urls))
    const hosted = await startingHosted
    hosted.show({ api, key: await readPageKey(api) })
    sites.show(embed)
    process.stdout.write(table(api, demo, sites.urls, hosted.url))
  }
  let isEnding = false
  show().catch((error: unknown) => {
    if (!isEnding) process.stderr.write(`${(error as Error).message}\n`)
    ending.resolve(1)
  })
  const code = await ending.promise
  isEnding = true
  await Promise.all([
    server?.stop(),
    ...[starting, startingHosted].map((site) =>
      site.then(
        (started) => started[Symbol.asyncDispose](),
        () => undefined,
      ),
    ),
  ])
  return code
}

/** From the environment; empty counts as unset. */
function setting(name: string): string | null {
  const text = process.env[name]?.trim() ?? ''
  return text === '' ? null : text
}

function table(
  api: string,
  { email, password }: { email: string; password: string },
  urls: Readonly<Record<ExampleName, string>>,
  hostedUrl: string,
): string {
  const rows = Object.entries(urls).map(([name, url]) => `  ${url.padEnd(24)} ${exampleTitles[name as ExampleName]}`)
  return `
Nine sites with widgets:

${rows.join('\n')}

Users of the hosted data backend sign up and sign in at ${hostedUrl}

Mails of these sites arrive at ${api}/sandbox. Sign in there and in the popup of the first site:
  email     ${email}
  password  ${password}

Sendwright is ready at ${api}
Ctrl+C stops everything.
`
}
