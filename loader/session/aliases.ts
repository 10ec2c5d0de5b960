import type { MailboxList } from '../../client/mail/mailbox-list.ts'

/** What the widgets of a session share, such as lists, by name. */
export type Shared = Map<string, object>

/** Maps aliases of secret keys across sessions: each session has aliases of its own. */
export function createAliases(shared: Shared) {
  const idOf = new Map<string, string>()
  const listOf = (key: string) => shared.get(key) as MailboxList | undefined
  const lists = () => ['email-config', 'templates-mine'].flatMap((key) => listOf(key) ?? [])
  const configs = () => listOf('email-config')?.state.items ?? []
  let renewed: Promise<unknown> | undefined
  return {
    /** Whether the widgets have loaded anything. */
    isUsable: () => lists().some(({ state }) => state.status === 'ready'),
    /** Reloads the lists in a new session. A list that is being loaded gets the new aliases anyway. */
    renew() {
      for (const { id, secret_key: alias } of configs()) if (alias) idOf.set(alias, id)
      const loaded = lists().filter(({ state }) => state.status !== 'loading')
      renewed = Promise.all(loaded.map((list) => list.load({ isForced: true })))
    },
    /** The URL with the alias that its mailbox has in the present session. */
    addressOf: async (url: string): Promise<string> => {
      const id = idOf.get(/eh_[\w-]+/.exec(url)?.[0] ?? '')
      if (id === undefined) return url
      await renewed
      return url.replace(/eh_[\w-]+/, configs().find((config) => config.id === id)?.secret_key ?? '$&')
    },
  }
}
