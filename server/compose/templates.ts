import { addDraftRoutes } from '../http/templates/draft.ts'
import { addSavedBlockRoutes } from '../http/templates/saved-block.ts'
import { addTemplateRoutes } from '../http/templates/template.ts'
import { createDraftStore } from '../store/templates/draft.ts'
import { createSavedBlockStore } from '../store/templates/saved-block.ts'
import { createTemplateStore } from '../store/templates/template.ts'
import { createDraftService } from '../usecases/templates/draft-service.ts'
import { createSavedBlockService } from '../usecases/templates/saved-block-service.ts'
import { createTemplateService } from '../usecases/templates/template-service.ts'
import { createCreateTemplate } from '../usecases/templates/create-template.ts'
import { createUpdateTemplate } from '../usecases/templates/update-template.ts'
import { attachmentService } from './files/attachments.ts'
import { hourMs, type Noun, type Parts } from './core/parts.ts'
import { embedStores } from './stores/embeds.ts'

export const templateStore = ({ database }: Parts) => createTemplateStore(database)

export const templates: Noun = {
  addRoutes(add, { database, newId, resolve }) {
    const store = resolve(templateStore)
    addTemplateRoutes(add, {
      ...resolve(attachmentService),
      ...createTemplateService({ templates: store }),
      createTemplate: createCreateTemplate({ templates: store, newId }),
      updateTemplate: createUpdateTemplate({ templates: store }),
      noteEmbedAct: resolve(embedStores).noteEmbedAct,
    })
    addSavedBlockRoutes(add, createSavedBlockService({ blocks: createSavedBlockStore(database) }))
    addDraftRoutes(add, createDraftService({ drafts: createDraftStore(database) }))
  },
  maintenance({ clock, resolve }, system) {
    const store = resolve(templateStore)
    return [{ intervalMs: hourMs, run: async () => ((await clock.correct()) ? store.prune(system) : undefined) }]
  },
}
