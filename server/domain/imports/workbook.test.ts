import { expect, it } from 'vitest'
import { checkWorkbookSize } from './workbook.ts'

it('a workbook has up to 50 MiB', () => {
  expect(() => checkWorkbookSize(52_428_800)).not.toThrow()
  expect(() => checkWorkbookSize(52_428_801)).toThrow(/too large to be read/)
})
