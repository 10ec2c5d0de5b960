import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname

/** Files that match a pattern, tests excluded, each with its text. */
async function textsOf(pattern: string): Promise<[file: string, text: string][]> {
  const texts: [string, string][] = []
  for await (const file of glob(pattern, { cwd: root })) {
    if (!/\.test\.tsx?$/.test(file)) texts.push([file, await readFile(root + file, 'utf8')])
  }
  return texts
}

it('the client contains no path literal: routes come from the contract', async () => {
  const found = (await textsOf('client/**/*.ts')).flatMap(([file, text]) =>
    [...text.matchAll(/['"`](?:(?:GET|POST|PUT|PATCH|DELETE) )?\/[a-z][^'"`]*['"`]/g)].map(
      ([path]) => `${file}: ${path}`,
    ),
  )
  expect(found).toEqual([])
})

it('an operation uses method and path from the routes of its resource', async () => {
  const found = (await textsOf('contract/*/*.ts')).flatMap(([file, text]) =>
    [...text.matchAll(/^ {2}(?:method|path): '[^']*',$/gm)].map(([line]) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
