import { afterAll } from 'vitest'
import { removeInitializedFolder } from '../embedded.ts'

// Modules are loaded once for all files of a worker, setup files once for each.
afterAll(removeInitializedFolder)
