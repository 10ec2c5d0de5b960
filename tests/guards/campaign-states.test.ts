import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('no statement that changes the state of a campaign contains a state literal: all use domain/campaigns/campaign-state.ts', async () => {
  const found: string[] = []
  let statementCount = 0
  for await (const file of glob('server/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    const text = await readFile(file, 'utf8')
    for (const [statement] of text.matchAll(/update campaigns\b[^`]*`/g)) {
      if (!/\bstatus = /.test(statement)) continue
      statementCount += 1
      if (/status (?:=|in \()\s*'(?!\$)/.test(statement)) found.push(`${file}: ${statement}`)
    }
  }
  expect(statementCount).toBeGreaterThan(4)
  expect(found).toEqual([])
})
