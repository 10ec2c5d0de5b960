import { beforeEach, describe, expect, it } from 'vitest'
import { answerWith, repliesOf, sendTo, turnReadingOn, type ReadingWorkspace } from '../../../tests/support/reading.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let workspace: ReadingWorkspace

const server = await useServer()
beforeEach(async () => {
  workspace = await createUser(server)
})

const get = (path: string) => server.call('GET', path, { token: workspace.token })
const eventsOf = (kind: number) =>
  server.sql<{ detail: Record<string, unknown> }>(
    `select detail from event_inbox i join email_configs c on c.workspace_id = i.workspace_id where c.id = $1 and kind = $2
     union all
     select detail from events e join email_configs c on c.workspace_id = e.workspace_id where c.id = $1 and kind = $2`,
    [workspace.mailboxId, kind],
  )

describe('reading a mailbox', () => {
  it('READING-01 is off on every mailbox until it is turned on for that mailbox', async () => {
    const { body } = await get(`/email/configs/${workspace.mailboxId}/reading`)
    expect(body).toMatchObject({ is_reading: false, state: 'off', since: null, folders: [], can_read: true })
  })

  it('INBOXSTANDIN-01 needs no account in the sandbox: its mailbox shows INBOX, Junk and Sent', async () => {
    await turnReadingOn(server, workspace.token, workspace.mailboxId)
    const { body } = await get(`/email/configs/${workspace.mailboxId}/reading`)
    expect(body.folders.map(({ folder }: { folder: string }) => folder)).toEqual(['INBOX', 'Junk', 'Sent'])
    expect(body.last_checked_at).not.toBeNull()
  })

  it('finds a bounce and writes its event with reason, action and the words of the mail server', async () => {
    await turnReadingOn(server, workspace.token, workspace.mailboxId)
    const mail = await sendTo(server, workspace, `bounce-${workspace.mailboxId}@example.com`)
    await answerWith(server, mail, 'bounce')
    await expect.poll(async () => (await eventsOf(5)).length).toBe(1)
    const [event] = await eventsOf(5)
    expect(event!.detail).toMatchObject({ reason: 'user_unknown', action: 'dead', status: '5.1.1' })
    expect(event!.detail['words']).toContain('No such user here')
  })

  it('lists a reply with its first words, and an out-of-office reply as an auto-reply with its day of return', async () => {
    await turnReadingOn(server, workspace.token, workspace.mailboxId)
    const mail = await sendTo(server, workspace, `ann-${workspace.mailboxId}@example.com`)
    await answerWith(server, mail, 'reply')
    const [reply] = await repliesOf(server, workspace.token, 1)
    expect(reply).toMatchObject({ kind: 'reply', match: 'id', is_read: false, subject: 'Re: Doors open' })
    expect(reply!.first_words).toContain('Thank you, that is good to know.')
    await answerWith(server, mail, 'out_of_office')
    const [auto] = await repliesOf(server, workspace.token, 1, '?view=auto_reply')
    expect(auto!.returns_on).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect((await eventsOf(3)).length).toBe(1)
    expect((await eventsOf(4)).length).toBe(1)
  })
})
