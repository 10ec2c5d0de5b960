import type { Scope } from '../../domain/auth/scope.ts'
import type { ActionRow } from '../../domain/contacts/contact-action.ts'
import type { ContactActionStore } from '../../store/contacts/contact-action.ts'
import { createBackgroundWorker } from '../core/background-worker.ts'
import type { SelectContacts } from './contact-action-service.ts'

interface Ports {
  actions: Pick<ContactActionStore, 'run' | 'undo' | 'fail'>
  /** Takes an action of any workspace; null where none is due. */
  claim: (owner: string, now: Date, leaseMs: number) => Promise<ActionRow | null>
  select: SelectContacts
  /** The scope of a task in one workspace. */
  scopeOf: (workspaceId: string) => Scope
  now: () => Date
  newId: () => string
  onError: (error: unknown) => void
}

const batchCount = 2000
const leaseMs = 30_000

/** Does and undoes actions on many contacts in batches; resumes those of a process that ended. */
export function createContactActionRunner({ actions, claim, select, scopeOf, now, newId, onError }: Ports) {
  const owner = newId()

  async function run(action: ActionRow, isClosed: () => boolean): Promise<void> {
    const scope = scopeOf(action.workspaceId)
    const step = () => ({ limit: batchCount, now: now(), leaseUntil: new Date(now().getTime() + leaseMs) })
    try {
      if (action.state === 'undoing') while (!isClosed() && (await actions.undo(scope, action, step())) > 0);
      else {
        const selection = await select(scope, action.filter.filter)
        while (!isClosed() && (await actions.run(scope, action, selection, step())) > 0);
      }
    } catch (error) {
      if (isClosed()) return // The lease ends; another process goes on.
      onError(error)
      await actions.fail(scope, action.id)
    }
  }

  return createBackgroundWorker({ claim: () => claim(owner, now(), leaseMs), run, onError })
}
