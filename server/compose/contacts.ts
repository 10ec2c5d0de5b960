import { addContactActionRoutes } from '../http/contacts/contact-action.ts'
import { addContactRoutes } from '../http/contacts/contact.ts'
import { addContactFieldRoutes } from '../http/contacts/contact-field.ts'
import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import { createContactActionStore } from '../store/contacts/contact-action.ts'
import { createContactFieldStore } from '../store/contacts/contact-field.ts'
import { createContactStore } from '../store/contacts/contact.ts'
import { createErasureStore } from '../store/contacts/erasure.ts'
import { createRuleContextStore } from '../store/segments/rule-context.ts'
import { createContactActionRunner } from '../usecases/contacts/contact-action-runner.ts'
import { createContactActionService } from '../usecases/contacts/contact-action-service.ts'
import { createContactFieldService } from '../usecases/contacts/contact-field-service.ts'
import { createContactService } from '../usecases/contacts/contact-service.ts'
import { createErasureRunner } from '../usecases/contacts/erasure-runner.ts'
import { listStore } from './lists.ts'
import { logFailure } from './core/log-failure.ts'
import { hourMs, type Noun, type Parts } from './core/parts.ts'
import { evaluationLoad, segmentStore } from './segments.ts'
import { suppressionStore } from './suppressions.ts'
import { trackingStore } from './tracking.ts'

export const fieldStore = ({ database }: Parts) => createContactFieldStore(database)
const actionStore = ({ database }: Parts) => createContactActionStore(database)

const task = { kind: 'system', task: 'contact-actions' } as const
const erasureTask = { kind: 'system', task: 'erasures' } as const
const undoKeptMs = 24 * hourMs

export const contacts: Noun = {
  maintenance: ({ now, resolve }, system) => [
    { intervalMs: hourMs, run: () => resolve(actionStore).prune(system, new Date(now().getTime() - undoKeptMs)) },
  ],
  addRoutes(add, { database, now, newId, log, onStop, resolve }) {
    const [fields, segments, lists, actions] = [
      resolve(fieldStore),
      resolve(segmentStore),
      resolve(listStore),
      resolve(actionStore),
    ]
    const store = createContactStore(database)
    addContactFieldRoutes(add, createContactFieldService({ fields, segments, now }))
    const erasures = createErasureStore(database)
    const contactService = createContactService({
      contacts: store,
      erasures,
      fields,
      lists,
      ruleContext: createRuleContextStore(database),
      suppressions: resolve(suppressionStore),
      tracking: resolve(trackingStore),
      load: resolve(evaluationLoad),
      now,
    })
    addContactRoutes(add, contactService)
    const runner = createContactActionRunner({
      actions,
      claim: (owner, at, leaseMs) => actions.claim(authorizeAll(task), owner, at, leaseMs),
      select: contactService.select,
      scopeOf: (workspaceId) => authorize(task, 'contacts:write', workspaceId),
      now,
      newId,
      onError: logFailure(log, 'An action on contacts failed'),
    })
    runner.start()
    onStop(() => runner.close())
    const erasureRunner = createErasureRunner({
      erasures,
      claim: (at, leaseMs) => erasures.claim(authorizeAll(erasureTask), at, leaseMs),
      scopeOf: (workspaceId) => authorize(erasureTask, 'contacts:delete', workspaceId),
      now,
      onError: logFailure(log, 'Erased addresses could not be removed from mails'),
    })
    erasureRunner.start()
    onStop(() => erasureRunner.close())
    const { wake } = runner
    addContactActionRoutes(
      add,
      createContactActionService({ actions, contacts: store, lists, contactService, wake, now }),
    )
  },
}
