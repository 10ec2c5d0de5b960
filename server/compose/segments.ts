import { addSegmentRoutes } from '../http/segments/segment.ts'
import { createContactStore } from '../store/contacts/contact.ts'
import { createRuleContextStore } from '../store/segments/rule-context.ts'
import { createSegmentStore } from '../store/segments/segment.ts'
import { createSegmentService } from '../usecases/segments/segment-service.ts'
import type { Noun, Parts } from './core/parts.ts'

export const segmentStore = ({ database }: Parts) => createSegmentStore(database)

export const segments: Noun = {
  addRoutes(add, { database, now, resolve }) {
    const service = createSegmentService({
      segments: resolve(segmentStore),
      contacts: createContactStore(database),
      ruleContext: createRuleContextStore(database),
      now,
    })
    addSegmentRoutes(add, service)
  },
}
