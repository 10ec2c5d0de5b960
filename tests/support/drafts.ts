import { expect } from 'vitest'
import type { TestUser } from './accounts.ts'
import type { TestServer } from './server.ts'

/** The composer's draft of a user as the server keeps it, as JSON. */
export async function storedDraft(server: TestServer, user: TestUser): Promise<string> {
  return JSON.stringify((await server.call('GET', '/drafts/compose', { token: user.token })).body)
}

/** Waits until the server keeps a text: "Draft saved" on a screen may speak of the text before it. */
export async function waitForStoredDraft(server: TestServer, user: TestUser, text: string): Promise<void> {
  await expect.poll(() => storedDraft(server, user)).toContain(text)
}
