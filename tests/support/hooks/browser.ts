import { afterEach, beforeEach } from 'vitest'
import { forgetShownPages, showPages } from '../browser.ts'
import { settlePages } from '../reusable-page.ts'

// Modules are loaded once for all files of a worker, setup files once for each.
beforeEach(forgetShownPages)
afterEach(async ({ task }) => {
  const hasFailed = task.result?.state === 'fail'
  const error = task.result?.errors?.at(-1)
  if (hasFailed && error !== undefined) await showPages(error)
  await settlePages({ hasFailed })
})
