import { addPreferencePages } from '../http/preferences/preferences.ts'
import { addSuppressionRoutes, addSuppressionStreamRoutes } from '../http/suppressions/suppression.ts'
import { addUnsubscribePages } from '../http/suppressions/unsubscribe.ts'
import { createPreferenceStore } from '../store/preferences/preferences.ts'
import { erasedRecipient } from '../store/suppressions/erased-address.sql.ts'
import { createSuppressionStore } from '../store/suppressions/suppression.ts'
import { createPreferenceService } from '../usecases/preferences/preference-service.ts'
import { createSuppressionService } from '../usecases/suppressions/suppression-service.ts'
import { createUnsubscribe } from '../usecases/suppressions/unsubscribe.ts'
import type { Noun, Parts, ServerParts } from './core/parts.ts'
import { findLinkedMail } from './tracking.ts'

export const suppressionStore = ({ database, newId }: Parts) => createSuppressionStore(database, newId)

const useCases = ({ now, resolve }: ServerParts) =>
  createSuppressionService({ suppressions: resolve(suppressionStore), now })

export const suppressions: Noun = {
  async addRoutes(add, { resolve }, app) {
    addSuppressionRoutes(add, resolve(useCases))
    const ports = { suppressions: resolve(suppressionStore), findLinkedMail: resolve(findLinkedMail) }
    await addUnsubscribePages(app, createUnsubscribe(ports))
  },
  addStreamRoutes: (add, { resolve }) => addSuppressionStreamRoutes(add, resolve(useCases)),
}

export const preferences: Noun = {
  async addRoutes(_add, { database, newId, now, resolve }, app) {
    const service = createPreferenceService({
      preferences: createPreferenceStore(database, newId),
      suppressions: resolve(suppressionStore),
      findLinkedMail: resolve(findLinkedMail),
      erasedRecipient,
      now,
    })
    await addPreferencePages(app, service, now)
  },
}
