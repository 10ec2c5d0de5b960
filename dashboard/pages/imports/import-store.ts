import { proxy } from 'valtio/vanilla'
import { listContactFields } from '../../../client/audience/contact-field.ts'
import {
  cancelImport,
  checkImport,
  exportImportRefusals,
  getImport,
  startImport,
  undoImport,
  updateImport,
  watchImport,
} from '../../../client/audience/import.ts'
import { createList, listLists } from '../../../client/audience/list.ts'
import { ApiError, errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import type { Import, ImportChoices, ImportTarget } from '../../../contract/audience/imports/import.ts'
import type { List } from '../../../contract/audience/list.ts'
import { fileProblem, importFiles, uploadRest } from './upload/import-file.ts'
import { isMoving } from './import-steps.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

type ImportAct = 'checking' | 'starting' | 'cancelling' | 'undoing' | 'downloading' | 'creating_list'

interface ImportState {
  status: 'loading' | 'ready' | 'missing' | 'failed'
  /** Why the import could not be loaded. */
  error: string | null
  record: Import | null
  fields: ContactField[]
  lists: List[]
  /** The text in the field of the consent; the import has it a moment later. */
  consent: string
  /** What is being done, and what waits for it. */
  busy: ImportAct[]
  saving: 'no' | 'yes' | 'failed'
  /** Why the last action failed. */
  problem: string | null
  /** What a choice changed beside itself. */
  notice: string | null
  upload: 'idle' | 'running' | 'interrupted'
}

/** Time without a keystroke after which a text is saved. */
const typingMs = 400
const reconnectMs = 1000

/** One import: its choices are saved as they are made, so that a reload keeps them. */
export function createImportStore(session: Session, id: string) {
  const state = proxy<ImportState>({
    status: 'loading',
    error: null,
    record: null,
    fields: [],
    lists: [],
    consent: '',
    busy: [],
    saving: 'no',
    problem: null,
    notice: null,
    upload: 'idle',
  })
  let aborter = new AbortController()
  let isFollowing = false
  let pending: ImportChoices = {}
  let saved: Promise<boolean> = Promise.resolve(true)
  let acted: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  const isAtWork = () => state.record !== null && isMoving(state.record)
  const report = (error: unknown) => {
    if (!isAbort(error)) state.problem = errorText(error)
  }

  /** Shows the import as the server has it, with the choices that are still on their way. */
  function show(record: Import): void {
    const { targets, ...rest } = pending
    const columns = targets
      ? record.columns.map((column, at) => ({ ...column, target: targets[at] ?? column.target }))
      : record.columns
    state.record = { ...record, ...rest, columns }
    if (isMoving(record)) void follow()
  }

  async function load(): Promise<void> {
    const { signal } = aborter
    if (state.record === null) Object.assign(state, { status: 'loading', error: null })
    try {
      const [record, fields, lists] = await Promise.all([
        getImport(session, id, { signal }),
        listContactFields(session, { signal }),
        listLists(session, { signal }),
      ])
      Object.assign(state, { status: 'ready', fields, lists, consent: record.consent ?? '' })
      show(record)
      const file = importFiles(session).get(id)
      if (record.state === 'uploading' && file) void uploadFile(file)
    } catch (error) {
      if (isAbort(error)) return
      const isMissing = error instanceof ApiError && error.status === 404
      Object.assign(state, { status: isMissing ? 'missing' : 'failed', error: errorText(error) })
    }
  }

  /** Follows the progress to its end, over lost connections too. */
  async function follow(): Promise<void> {
    if (isFollowing) return
    isFollowing = true
    const { signal } = aborter
    while (!signal.aborted && isAtWork()) {
      try {
        for await (const next of watchImport(session, id, { signal })) state.record = next
      } catch (error) {
        if (error instanceof ApiError && error.code === 'answer') {
          report(error)
          break
        }
      }
      // A lost connection, or the end of a long stream.
      if (isAtWork()) await new Promise((done) => setTimeout(done, reconnectMs))
    }
    isFollowing = false
  }

  async function uploadFile(file: File): Promise<void> {
    if (state.upload === 'running' || state.record === null) return
    Object.assign(state, { upload: 'running', problem: null })
    try {
      const record = await getImport(session, id, { signal: aborter.signal })
      show(record)
      await uploadRest(session, record, file, { signal: aborter.signal, onStored: show })
      importFiles(session).delete(id)
      state.upload = 'idle'
    } catch (error) {
      state.upload = 'interrupted'
      report(error)
    }
  }

  /** Sends the choices of this moment; gives whether the server has them. */
  async function send(keepalive: boolean): Promise<boolean> {
    const choices = pending
    if (Object.keys(choices).length === 0) return state.saving !== 'failed'
    pending = {}
    // Only the sentence of a save that failed: others are about what is chosen now.
    if (state.saving === 'failed') state.problem = null
    state.saving = 'yes'
    try {
      const record = await updateImport(session, id, choices, keepalive ? { keepalive } : {})
      state.saving = 'no'
      show(record)
      return true
    } catch (error) {
      state.saving = 'failed'
      report(error)
      // What the server refused is not shown as chosen.
      if (error instanceof ApiError && error.code === 'answer') {
        state.saving = 'no'
        await getImport(session, id).then(show, () => undefined)
      } else pending = { ...choices, ...pending }
      return false
    }
  }

  /** Saves what is chosen, one call after the other. */
  function save(keepalive = false): Promise<boolean> {
    clearTimeout(timer)
    saved = saved.then(() => send(keepalive))
    return saved
  }

  /** Runs an action after those before it: each shows the import as it is after it. */
  async function act(name: ImportAct, work: () => Promise<unknown>): Promise<boolean> {
    if (state.busy.includes(name)) return false
    Object.assign(state, { busy: [...state.busy, name], problem: null })
    const done = acted.then(work)
    acted = done.catch(() => undefined)
    try {
      await done
      return true
    } catch (error) {
      report(error)
      return false
    } finally {
      state.busy = state.busy.filter((one) => one !== name)
    }
  }

  const saveOnHide = () => void save(true)

  return {
    state,
    load,
    save: () => save(),

    /** Loads the import; gives what ends it. */
    open(): () => void {
      aborter = new AbortController()
      window.addEventListener('pagehide', saveOnHide)
      void load()
      return () => {
        window.removeEventListener('pagehide', saveOnHide)
        void save()
        aborter.abort()
      }
    },

    /** Uploads the rest of the file; gives why this is not the file, if it is not. */
    goOnUpload(file: File): void {
      const { record } = state
      if (record === null) return
      state.problem =
        file.size === record.size_bytes
          ? null
          : (fileProblem(file) ??
            pageLanguage.t('This is another file than {name}: its size differs. Choose {name}.', {
              name: record.file_name,
            }))
      if (state.problem !== null) return
      importFiles(session).set(id, file)
      void uploadFile(file)
    },

    tryUploadAgain(): void {
      const file = importFiles(session).get(id)
      if (file) void uploadFile(file)
      else state.upload = 'idle'
    },

    /** Takes the sentence of the last problem away. */
    dismiss(): void {
      Object.assign(state, { problem: null, notice: null })
    },

    hasFile: () => importFiles(session).has(id),

    /** Changes the import at once, and saves it. */
    choose(choices: ImportChoices): void {
      state.problem = null
      pending = { ...pending, ...choices }
      if (state.record) show({ ...state.record })
      void save()
    },

    /** Gives a column another target. */
    setTarget(column: number, target: ImportTarget): void {
      const { record } = state
      if (record === null) return
      // One column only has the address.
      const targets = record.columns.map((other, at) =>
        at === column
          ? target
          : target.kind === 'email' && other.target.kind === 'email'
            ? ({ kind: 'skip' } as const)
            : other.target,
      )
      const former = record.columns.find(({ target: other }, at) => at !== column && other.kind === 'email')
      state.notice =
        target.kind === 'email' && former
          ? pageLanguage.t('One column only has the address: {name} is skipped now.', { name: former.header })
          : null
      state.problem = null
      pending = { ...pending, targets: targets.map((one) => ({ ...one })) }
      show({ ...record })
      clearTimeout(timer)
      timer = setTimeout(() => void save(), typingMs)
    },

    /** Whether a column goes to the address; says it where none does. */
    requireAddress(): boolean {
      const hasAddress = state.record?.columns.some(({ target }) => target.kind === 'email') === true
      state.problem = hasAddress ? null : pageLanguage.t('No column goes to the address. Choose one.')
      return hasAddress
    },

    writeConsent(text: string): void {
      Object.assign(state, { consent: text, problem: null })
      pending = { ...pending, consent: text }
      clearTimeout(timer)
      timer = setTimeout(() => void save(), typingMs)
    },

    createList: (name: string) =>
      act('creating_list', async () => {
        const list = await createList(session, { name })
        state.lists = [...state.lists, list]
        pending = { ...pending, list_id: list.id }
        await save()
      }),

    /** Counts what the import would do; what was checked and not changed since is not counted again. */
    async check(): Promise<boolean> {
      if (!(await save())) return false
      if (state.record?.state === 'checked') return true
      return act('checking', async () => show(await checkImport(session, id)))
    },
    start: () => act('starting', async () => show(await startImport(session, id))),
    cancel: () => act('cancelling', async () => show(await cancelImport(session, id))),
    takeBack: () => act('undoing', async () => show(await undoImport(session, id))),

    /** Hands the CSV of the refused rows to `give`. */
    downloadRefusals: (give: (csv: string) => void) =>
      act('downloading', async () => give(await exportImportRefusals(session, id))),
  }
}

export type ImportStore = ReturnType<typeof createImportStore>
