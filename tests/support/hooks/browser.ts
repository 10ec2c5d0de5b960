import { afterEach, beforeEach } from 'vitest'
import { forgetShownPages, showPages } from '../browser.ts'

// Modules are loaded once for all files of a worker, setup files once for each.
beforeEach(forgetShownPages)
afterEach(async ({ task }) => {
  const error = task.result?.errors?.at(-1)
  if (task.result?.state === 'fail' && error !== undefined) await showPages(error)
})
