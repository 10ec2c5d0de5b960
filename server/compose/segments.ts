import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import { addContactSegmentRoutes, addSegmentRoutes } from '../http/segments/segment.ts'
import { createContactStore } from '../store/contacts/contact.ts'
import { createContactSegmentStore } from '../store/segments/contact-segments.ts'
import { createLiveSegmentStore } from '../store/segments/live-segment.ts'
import { createRuleContextStore } from '../store/segments/rule-context.ts'
import { createSegmentStore } from '../store/segments/segment.ts'
import { createListContactSegments } from '../usecases/segments/contact-segments.ts'
import { createEvaluationLoad } from '../usecases/segments/evaluation-load.ts'
import { createLiveSegmentRunner } from '../usecases/segments/live-segment-runner.ts'
import { createSegmentService } from '../usecases/segments/segment-service.ts'
import { logFailure } from './core/log-failure.ts'
import { hourMs, type Noun, type Parts } from './core/parts.ts'

export const segmentStore = ({ database }: Parts) => createSegmentStore(database)
const liveStore = ({ database }: Parts) => createLiveSegmentStore(database)

const task = { kind: 'system', task: 'live-segments' } as const

/** The share of the machine that the evaluation of rules takes. */
export const evaluationLoad = ({ resolve }: Parts) =>
  createEvaluationLoad({ isSending: () => resolve(liveStore).isSending(authorizeAll(task)) })

export const segments: Noun = {
  maintenance: ({ resolve }, system) => [{ intervalMs: hourMs, run: () => resolve(liveStore).pruneTouches(system) }],
  addRoutes(add, { database, now, log, onStop, resolve }) {
    const [live, ruleContext] = [resolve(liveStore), createRuleContextStore(database)]
    const service = createSegmentService({
      segments: resolve(segmentStore),
      contacts: createContactStore(database),
      ruleContext,
      load: resolve(evaluationLoad),
      now,
    })
    addSegmentRoutes(add, service)
    addContactSegmentRoutes(
      add,
      createListContactSegments({
        contactSegments: createContactSegmentStore(database),
        segments: resolve(segmentStore),
        ruleContext,
        now,
      }),
    )
    const runner = createLiveSegmentRunner({
      live,
      ruleContext,
      listTouched: () => live.listTouched(authorizeAll(task)),
      findDue: (at) => live.findDue(authorizeAll(task), at),
      scopeOf: (workspaceId) => authorize(task, 'segments:write', workspaceId),
      load: resolve(evaluationLoad),
      now,
      onError: logFailure(log, 'Live segments could not be evaluated'),
    })
    runner.start()
    onStop(() => runner.close())
  },
}
