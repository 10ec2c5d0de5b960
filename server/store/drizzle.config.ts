import { defineConfig } from 'drizzle-kit'

/** Run from the project's root: `npm run migration -- --name what-changes`. */
export default defineConfig({
  dialect: 'postgresql',
  schema: 'server/store/schema/**/*.ts',
  out: 'server/store/migrations',
})
