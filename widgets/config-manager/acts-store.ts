import { deleteEmailConfig } from '../../client/mail/config.ts'
import { listConfigUsage, rotateSecretKey, updateEmailConfig } from '../../client/mail/config-owner.ts'
import { ApiError, call, errorText, type Session } from '../../client/core/http.ts'
import { logFailure } from '../../client/core/log-failure.ts'
import type { Config, ConfigUsage } from '../../contract/mail/config.ts'
import { listMaxCount } from '../../contract/core/limits.ts'
import type { sendMailWithKey } from '../../contract/mail/message.ts'
import { configDeleted, keyRotated, testContent, testSent, testSubject } from '../lib/config-messages.ts'
import * as routes from '../../contract/mail/message.routes.ts'
import { message, type Message } from '../lib/messages/message.ts'

/** What was done: the mailbox as it is now (`unchanged`; `gone`), and a word about it. */
interface Done {
  config: Config | 'unchanged' | 'gone'
  toast: Message
}

/** What came of an act, or why it could not be done. */
export type Outcome = Done | { problem: string }

/** What an owner does with a mailbox, beside connecting it. */
export type ConfigAct = 'pause' | 'resume' | 'test' | 'rotate' | 'delete'

const acts: Record<ConfigAct, (session: Session, config: Config) => Promise<Done>> = {
  pause: async (session, { id, email_address: address }) => ({
    config: await updateEmailConfig(session, id, { status: 'paused' }),
    toast: message('{address} is paused; queued mail is kept', { address }),
  }),
  resume: async (session, { id, email_address: address }) => ({
    config: await updateEmailConfig(session, id, { status: 'active' }),
    toast: message('{address} is sending again', { address }),
  }),
  test: async (session, { secret_key: key, email_address: address }) => {
    const mail = { recipient_list: [address], subject: testSubject, content: testContent(address) }
    // Not by client/mail/message.ts: that comes with all that a composer needs to follow a message.
    await call<typeof sendMailWithKey>(session, {
      route: routes.sendMailWithKey,
      params: { secret_key: key ?? '' },
      body: mail,
    })
    return { config: 'unchanged', toast: message(testSent, { address }) }
  },
  rotate: async (session, { id, email_address: address }) => ({
    config: await rotateSecretKey(session, id),
    toast: { text: keyRotated, values: { address } },
  }),
  delete: async (session, { id, email_address: address }) => {
    await deleteEmailConfig(session, id).catch((error: unknown) => {
      // One that is gone already counts as deleted.
      if (!(error instanceof ApiError && error.status === 404)) throw error
    })
    return { config: 'gone', toast: message(configDeleted, { address }) }
  },
}

/** Does one thing with a mailbox; never throws. */
export function act(session: Session, config: Config, what: ConfigAct): Promise<Outcome> {
  return acts[what](session, config).catch((error: unknown) => {
    if (what === 'delete') logFailure('deleting the mailbox', error)
    return { problem: errorText(error) ?? 'An error occurred' }
  })
}

/** What the session's mailboxes have used, by id. */
export async function loadUsage(session: Session): Promise<Record<string, ConfigUsage>> {
  const usage: Record<string, ConfigUsage> = {}
  let offset = 0
  for (;;) {
    const { items, totalCount } = await listConfigUsage(session, { limit: listMaxCount, offset })
    for (const item of items) usage[item.id] = item
    offset += items.length
    if (items.length === 0 || offset >= totalCount) return usage
  }
}
