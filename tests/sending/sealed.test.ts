import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMessageStore } from '../../server/store/messages/message.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { makeAddresses, useSending } from '../support/sending.ts'

const sending = useSending()

it('a message whose sealed values cannot be opened fails with the reason, and delays no other', async () => {
  const sink = await sending.sinkWith()
  const { database, rows } = sending
  const messages = createMessageStore(database, await openVault(database.pool, join(sending.folder, 'secret.key')))
  const mailboxId = await rows.addMailbox()
  const accept = async (recipient: string) => {
    const id = randomUUID()
    await messages.accept(rows.scope, {
      id,
      mailboxId,
      fromAddress: 'ann@example.com',
      subject: 'Hi {{name}}',
      content: '<p>{{name}}</p>',
      isHtml: true,
      context: { name: 'canary' },
      sealContext: true,
      recipients: [recipient],
    })
    return id
  }
  const broken = await accept('broken@example.com')
  const whole = await accept('whole@example.com')
  await rows.addMessage(mailboxId, makeAddresses(3))
  await database.pool.query(
    'update messages set context_sealed = (select context_sealed from messages where id = $2) where id = $1',
    [broken, whole],
  )
  const sender = sending.start(sink.port, {
    messages: { findContents: (_workspaceId, ids) => messages.findContents(rows.scope, ids) },
  })
  await sending.untilStates({ sent: 4, failed: 1 })
  expect(sink.recipients().sort()).toEqual([...makeAddresses(3), 'whole@example.com'].sort())
  expect(await rows.deliveries(broken)).toMatchObject([
    { state: 'failed', reply: 'The values of this message cannot be decrypted with the server’s key. Send it again.' },
  ])
  expect(sender.logged()).not.toContain('canary')
})
