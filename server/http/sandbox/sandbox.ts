import { listDefaultCount } from '../../../contract/core/limits.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { IncomingKind } from '../../../contract/inbox/inbox.limits.ts'
import * as contract from '../../../contract/mail/sandbox.ts'
import type { AddRoute } from '../core/route.ts'

/** Where the received mails are kept. */
export interface SandboxInbox {
  list: (where: { to: string | null; limit: number }) => Promise<contract.SandboxMessage[]>
  find: (id: string) => Promise<contract.SandboxMessage | null>
  /** Puts an answer to a received mail into the sandbox's mailbox. */
  answer: (message: contract.SandboxMessage, kind: IncomingKind) => void
}

/** `/sandbox/messages` (architecture, The sandbox): added only where the sandbox is on. */
export function addSandboxRoutes(add: AddRoute, inbox: SandboxInbox): void {
  add(contract.listSandboxMessages, ({ query }) =>
    inbox.list({ to: query.to ?? null, limit: query.limit ?? listDefaultCount }),
  )

  add(contract.getSandboxMessage, async ({ params }) => {
    const message = await inbox.find(params.id)
    if (message === null) throw new AppError('not_found')
    return message
  })

  add(contract.answerSandboxMessage, async ({ params, body }) => {
    const message = await inbox.find(params.id)
    if (message === null) throw new AppError('not_found')
    inbox.answer(message, body.kind)
  })
}
