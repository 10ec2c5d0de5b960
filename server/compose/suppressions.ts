import { readLink } from '../domain/suppressions/unsubscribe-link.ts'
import { addSuppressionRoutes, addSuppressionStreamRoutes } from '../http/suppressions/suppression.ts'
import { addUnsubscribePages } from '../http/suppressions/unsubscribe.ts'
import { createSuppressionStore } from '../store/suppressions/suppression.ts'
import { createSuppressionService } from '../usecases/suppressions/suppression-service.ts'
import { createUnsubscribe } from '../usecases/suppressions/unsubscribe.ts'
import type { Noun, Parts, ServerParts } from './core/parts.ts'

export const suppressionStore = ({ database, newId }: Parts) => createSuppressionStore(database, newId)

const useCases = ({ now, resolve }: ServerParts) =>
  createSuppressionService({ suppressions: resolve(suppressionStore), now })

export const suppressions: Noun = {
  async addRoutes(add, { vault, resolve }, app) {
    addSuppressionRoutes(add, resolve(useCases))
    const readToken = (token: string) => readLink(vault.linkKeys, token)
    await addUnsubscribePages(app, createUnsubscribe({ suppressions: resolve(suppressionStore), readLink: readToken }))
  },
  addStreamRoutes: (add, { resolve }) => addSuppressionStreamRoutes(add, resolve(useCases)),
}
