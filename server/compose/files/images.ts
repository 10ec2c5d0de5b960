import { addImageRoutes, addImageStreamRoutes } from '../../http/images/image.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import { createImageRenderer } from '../../images/image-renderer.ts'
import { createBlobStore } from '../../store/blobs/blob.ts'
import { createImageStore } from '../../store/images/image.ts'
import { createImageService } from '../../usecases/images/image-service.ts'
import { hourMs, type Noun, type Parts, type ServerParts } from '../core/parts.ts'

export const blobStore = ({ database }: Parts) => createBlobStore(database)

function useCases({ database, now, newId, onStop, publicUrl, resolve, settings }: ServerParts) {
  const renderer = createImageRenderer()
  onStop(renderer.close)
  const service = createImageService({
    images: createImageStore(database),
    blobs: resolve(blobStore),
    renderImage: renderer.renderImage,
    scopeOf: (workspaceId) => authorize({ kind: 'system', task: 'images' }, 'images:read', workspaceId),
    now,
    newId,
  })
  return { ...service, imageOrigin: settings.imageOrigin ?? publicUrl }
}

export const images: Noun = {
  maintenance: ({ now, resolve }, system) => [
    { intervalMs: 24 * hourMs, run: () => resolve(blobStore).prune(system, now()) },
  ],
  addRoutes: (add, { resolve }) => addImageRoutes(add, resolve(useCases)),
  addStreamRoutes: (add, { resolve }) => addImageStreamRoutes(add, resolve(useCases)),
}
