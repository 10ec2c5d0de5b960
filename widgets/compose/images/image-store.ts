import { proxy } from 'valtio/vanilla'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { deleteImage, listImages, updateImage, uploadImage } from '../../../client/files/image.ts'
import { imageMaxBytes, imageNameMaxChars } from '../../../contract/files/image.limits.ts'
import type { Image } from '../../../contract/files/image.ts'
import { pageLanguage } from '../../lib/messages/messages.ts'

/** A file on its way to the library, or one that was refused. */
export interface ImageUpload {
  id: number
  name: string
  /** Share that was sent, 0 to 1; at 1 the server prepares the image. */
  share: number
  /** Why it was refused; null while it is under way. */
  problem: string | null
}

export interface ImageState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  /** Newest first, as far as they are loaded. */
  items: Image[]
  totalCount: number
  search: string
  /** Of the next page; null on the last one. */
  nextCursor: string | null
  uploads: ImageUpload[]
}

const pageCount = 60
const searchDelayMs = 250

/** State and actions of the media library; used by the Images screen, the picker and the editors. */
export function createImageStore(session: Session) {
  const state = proxy<ImageState>({
    status: 'loading',
    error: null,
    items: [],
    totalCount: 0,
    search: '',
    nextCursor: null,
    uploads: [],
  })
  let loading = new AbortController()
  let searching: ReturnType<typeof setTimeout> | undefined
  let lastId = 0
  const running = new Map<number, AbortController>()

  async function load(cursor?: string): Promise<void> {
    loading.abort()
    const { signal } = (loading = new AbortController())
    const search = state.search.trim()
    try {
      const query = { limit: pageCount, ...(search !== '' && { search }), ...(cursor !== undefined && { cursor }) }
      const { items, totalCount, nextCursor } = await listImages(session, query, { signal })
      const shown = cursor === undefined ? items : [...state.items, ...items]
      Object.assign(state, { status: 'ready', error: null, items: shown, totalCount, nextCursor })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  function put(image: Image): void {
    const at = state.items.findIndex(({ id }) => id === image.id)
    if (at >= 0) state.items[at] = image
    else {
      state.items.unshift(image)
      state.totalCount += 1
    }
  }

  const uploadOf = (id: number) => state.uploads.find((upload) => upload.id === id)
  function change(id: number, changes: Partial<ImageUpload>): void {
    Object.assign(uploadOf(id) ?? {}, changes)
  }
  function dismiss(id: number): void {
    running.get(id)?.abort()
    state.uploads = state.uploads.filter((upload) => upload.id !== id)
  }

  return {
    state,
    load: () => load(),
    loadMore: () => (state.nextCursor === null ? undefined : load(state.nextCursor)),

    /** Loads the library; returns the undo. Uploads go on. */
    start() {
      void load()
      return () => {
        loading.abort()
        clearTimeout(searching)
      }
    },

    search(text: string) {
      state.search = text
      clearTimeout(searching)
      searching = setTimeout(() => void load(), searchDelayMs)
    },

    /** Adds a file to the library. Null where it was refused or cancelled: `state.uploads` has the reason. */
    async upload(file: File): Promise<Image | null> {
      const id = (lastId += 1)
      const abort = new AbortController()
      running.set(id, abort)
      state.uploads.push({ id, name: file.name, share: 0, problem: null })
      try {
        if (file.size > imageMaxBytes) {
          change(id, { problem: pageLanguage.t('The image is larger than 20 MB. Choose a smaller one.') })
          return null
        }
        const name = (file.name.trim() || 'image').slice(-imageNameMaxChars)
        const onProgress = (share: number) => change(id, { share })
        const image = await uploadImage(session, file, name, { onProgress, signal: abort.signal })
        put(image)
        dismiss(id)
        return image
      } catch (error) {
        change(id, { problem: errorText(error) ?? '' })
        if (isAbort(error)) dismiss(id)
        return null
      } finally {
        running.delete(id)
      }
    },

    /** Takes a refused upload off the list, or cancels one that is under way. */
    dismiss,

    /** Renames an image or changes its alternative text. Throws ApiError. */
    async update(id: string, changes: { name?: string; alt?: string }): Promise<Image> {
      const image = await updateImage(session, id, changes)
      put(image)
      return image
    },

    /** Throws ApiError. */
    async remove(id: string, isFromWeb: boolean): Promise<void> {
      await deleteImage(session, { id, isFromWeb })
      state.items = state.items.filter((image) => image.id !== id)
      state.totalCount -= 1
    },
  }
}

export type ImageStore = ReturnType<typeof createImageStore>
