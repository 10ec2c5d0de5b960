import { errorText, isAbort } from '../../../client/core/http.ts'
import { uploadAttachment } from '../../../client/files/attachment.ts'
import {
  attachmentsMaxBytes,
  attachmentsMaxCount,
  filenameMaxChars,
} from '../../../contract/files/attachment.limits.ts'
import { message } from '../../lib/messages/message.ts'
import type { ComposeStore } from '../compose-types.ts'

/** The files that are on their way, to upload one again after a fault. */
// oxlint-disable-next-line sendwright/module-state -- by ids that no two composers share
const files = new Map<number, { file: File; abort: AbortController }>()
// oxlint-disable-next-line sendwright/module-state -- by ids that no two composers share
let lastId = 0

/** Uploads files and attaches those that the server takes. The others show why not; those attached stay. */
export async function attach(store: ComposeStore, chosen: readonly File[]): Promise<void> {
  await Promise.all(
    chosen.map((file) => {
      const id = (lastId += 1)
      files.set(id, { file, abort: new AbortController() })
      store.set({ attaching: [...(store.state.attaching ?? []), { id, name: file.name, share: 0, problem: null }] })
      return upload(store, id)
    }),
  )
}

/** Uploads a file again whose upload broke off. */
export function retry(store: ComposeStore, id: number): Promise<void> {
  change(store, id, { share: 0, problem: null })
  return upload(store, id)
}

/** Cancels an upload, or takes a refused one off the list. */
export function dismiss(store: ComposeStore, id: number): void {
  files.get(id)?.abort.abort()
  files.delete(id)
  store.set({ attaching: (store.state.attaching ?? []).filter((one) => one.id !== id) })
}

/** Takes a file off the message. */
export function detach(store: ComposeStore, uploadId: string): void {
  store.write({ attachments: (store.state.draft.attachments ?? []).filter((one) => one.uploadId !== uploadId) })
}

async function upload(store: ComposeStore, id: number): Promise<void> {
  const known = files.get(id)
  if (known === undefined) return
  const { file, abort } = known
  try {
    const problem = limitOf(store, file)
    if (problem !== null) {
      change(store, id, { problem })
      return
    }
    const name = (file.name || 'attachment').slice(-filenameMaxChars)
    const onProgress = (share: number) => change(store, id, { share })
    const answer = await uploadAttachment(store.session, file, name, { onProgress, signal: abort.signal })
    const attached = { uploadId: answer.upload_id, filename: answer.filename, size: answer.size }
    store.write({ attachments: [...(store.state.draft.attachments ?? []), attached] })
    dismiss(store, id)
  } catch (error) {
    if (!isAbort(error)) change(store, id, { problem: errorText(error) ?? '' })
  }
}

/** Why a file cannot come to those that are attached. */
function limitOf({ state }: ComposeStore, file: File): string | null {
  const attached = state.draft.attachments ?? []
  const bytes = attached.reduce((sum, { size }) => sum + size, file.size)
  if (attached.length >= attachmentsMaxCount) return message('A message may have 20 attachments.').text
  if (bytes > attachmentsMaxBytes) return message('The attachments of a message may have 18 MB together.').text
  return null
}

function change(store: ComposeStore, id: number, changes: { share?: number; problem?: string | null }): void {
  store.set({ attaching: (store.state.attaching ?? []).map((one) => (one.id === id ? { ...one, ...changes } : one)) })
}
