import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium, type BrowserServer, type Page } from 'playwright-core'

/**
 * Starts a Chromium for the run. `CHROMIUM_PATH` names an installed one; otherwise the binary of the npm package
 * @sparticuz/chromium is unpacked, once for this user and version.
 */
export async function startChromium(): Promise<BrowserServer> {
  const system = process.env['CHROMIUM_PATH']
  const own = system === undefined || system === '' ? await unpacked() : { path: system, env: {} }
  return chromium.launchServer({
    executablePath: own.path,
    env: { ...definedEnv(), ...own.env },
    // Our own arguments: those of the package disable web security, which these tests check.
    args: ['--disable-background-networking', '--disable-component-update', '--no-pings', '--font-render-hinting=none'],
  })
}

/** Playwright writes PNG and JPEG only; WebP takes a third of their bytes. */
export async function captureWebp(
  page: Page,
  clip?: { x: number; y: number; width: number; height: number; scale: number },
): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const options = { format: 'webp', quality: 82, captureBeyondViewport: clip !== undefined } as const
  const { data } = await session.send('Page.captureScreenshot', { ...options, ...(clip && { clip }) })
  return Buffer.from(data, 'base64')
}

interface Unpacked {
  path: string
  env: Record<string, string>
}

async function unpacked(): Promise<Unpacked> {
  const packageFile = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../../package.json')
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string }
  const home = join(tmpdir(), `sendwright-chromium-${version}-${userInfo().uid}`)
  if (!existsSync(home)) await unpack(home)
  // The name is predictable, and others may write into the temporary folder: execute no file of another user.
  const { uid } = await stat(home)
  if (uid !== userInfo().uid && process.platform !== 'win32') {
    throw new Error(`${home} belongs to another user. Remove it, or name a browser with CHROMIUM_PATH.`)
  }
  return {
    path: join(home, 'chromium'),
    env: { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts'), HOME: home },
  }
}

/** Unpacks beside the final path and renames: a concurrent run never sees a partial browser. */
async function unpack(home: string): Promise<void> {
  await mkdir(dirname(home), { recursive: true })
  const building = await mkdtemp(`${home}-`)
  const before = { TMPDIR: process.env['TMPDIR'], AWS_EXECUTION_ENV: process.env['AWS_EXECUTION_ENV'] }
  // The package unpacks into the temporary folder, and its system libraries only if this variable names a Lambda.
  Object.assign(process.env, { TMPDIR: building, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    await writeFile(join(building, 'fonts', 'fonts.conf'), fontsConfig(join(home, 'fonts')))
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
  }
  try {
    await rename(building, home)
  } catch (error) {
    if (!existsSync(home)) throw error
    await rm(building, { recursive: true, force: true }) // Another run was faster.
  }
}

/** The package's own file names /tmp/fonts, whatever the temporary folder. */
function fontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`
}

function definedEnv(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(entries)
}
