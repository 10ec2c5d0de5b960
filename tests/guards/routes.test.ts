import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname

/** Files of a pattern, tests left out, each with its text. */
async function textsOf(pattern: string): Promise<[file: string, text: string][]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: root }))
  const shipped = files.filter((file) => !/\.test\.tsx?$/.test(file)).sort()
  return Promise.all(shipped.map(async (file) => [file, await readFile(root + file, 'utf8')] as [string, string]))
}

it('the client names no path of its own: routes come from the contract', async () => {
  const found = (await textsOf('client/**/*.ts')).flatMap(([file, text]) =>
    [...text.matchAll(/['"`](?:(?:GET|POST|PUT|PATCH|DELETE) )?\/[a-z][^'"`]*['"`]/g)].map(
      ([path]) => `${file}: ${path}`,
    ),
  )
  expect(found).toEqual([])
})

it('an operation takes method and path from the routes of its resource', async () => {
  const found = (await textsOf('contract/*/*.ts')).flatMap(([file, text]) =>
    [...text.matchAll(/^ {2}(?:method|path): '.*$/gm)].map(([line]) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
