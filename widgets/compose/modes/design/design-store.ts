import { proxy, ref } from 'valtio/vanilla'
import type { SavedBlock } from '../../../../contract/design/saved-block.ts'
import type { Block, Design, Row, Theme } from '../../../../contract/design/design.ts'
import { designBlocksMaxCount } from '../../../../contract/design/design.limits.ts'
import { createSavedBlock, deleteSavedBlock, listSavedBlocks } from '../../../../client/mail/saved-block.ts'
import { errorText, type Session } from '../../../../client/core/http.ts'
import type { LibraryImage } from '../../images/chosen-image.ts'
import { allIds, countBlocks, findBlock, innerBlocks, type Place } from './document/find.ts'
import * as history from './document/history.ts'
import { newBlock, randomId, type BlockKind } from './document/new-blocks.ts'
import * as operations from './document/operations.ts'

/** Where a dragged block would be inserted: in a column, or in a row of its own before the row at `rowAt`. */
export type DropPlace = Place | { rowAt: number }

/** Image files, and where they go; without a place after the selected block. */
export interface GivenImages {
  files: readonly File[]
  place: DropPlace | null
}

export interface DesignState {
  /** As the editor shows it: words that are being typed follow after a pause. `design()` has them at once. */
  design: Design
  /** Id of the selected block or row. */
  selected: string | null
  /** Whether the words of the selected block are being edited on the canvas. */
  isEditing: boolean
  preview: 'desktop' | 'phone'
  isDark: boolean
  canUndo: boolean
  canRedo: boolean
  /** What was done last, for assistive tools. */
  note: string
  saved: readonly SavedBlock[]
  /** Id of the image block for which the library is open. */
  picking: string | null
  /** Image files that were pasted or dropped, until they are uploaded; a `ref`. */
  given: GivenImages | null
  /** Images in the mail whose alternative text is still to be asked for. */
  placed: { id: string; image: LibraryImage }[]
  /** Why the saved blocks cannot be changed or loaded. */
  savedProblem: string | null
}

export interface DesignDeps {
  session: Session
  design: Design
  t: (text: string, values?: Record<string, string | number>) => string
  /** Milliseconds; the clock of the page if absent. */
  now?: () => number
}

/** Pause in typing words, in ms, before the parts beside the canvas are drawn for them. */
const restMs = 200

export type DesignStore = ReturnType<typeof createDesignStore>

/** State and actions of one block editor. The design is replaced whole, never changed in place. */
export function createDesignStore(deps: DesignDeps) {
  const { session, t, now = Date.now } = deps
  let steps = history.startHistory(deps.design)
  const state = proxy<DesignState>({
    design: ref(deps.design),
    selected: null,
    isEditing: false,
    preview: 'desktop',
    isDark: false,
    canUndo: false,
    canRedo: false,
    note: '',
    picking: null,
    given: null,
    placed: [],
    saved: [],
    savedProblem: null,
  })
  const keys: { place: 'canvas' | 'list' } = { place: 'canvas' }
  const canvas: { root: ShadowRoot | null } = { root: null }
  let listener: (design: Design) => void = () => undefined
  let resting: ReturnType<typeof setTimeout> | undefined
  const known = new Set(allIds(deps.design))
  const makeId = () => {
    let id = randomId()
    while (known.has(id)) id = randomId()
    known.add(id)
    return id
  }

  function show(next: history.History | null): void {
    if (next === null) return
    const isChanged = next.present !== steps.present
    steps = next
    Object.assign(state, { canUndo: next.past.length > 0, canRedo: next.future.length > 0 })
    clearTimeout(resting)
    if (state.isEditing) resting = setTimeout(settle, restMs)
    else settle()
    if (state.selected !== null && !exists(state.selected)) state.selected = null
    if (isChanged) listener(next.present)
  }
  function settle(): void {
    clearTimeout(resting)
    if (state.design !== steps.present) state.design = ref(steps.present as Design & object)
  }
  const design = () => steps.present
  const exists = (id: string) => design().rows.some((row) => row.id === id) || findBlock(design(), id) !== null
  const change = (next: Design, key: string | null = null) => show(history.record(steps, next, key, now()))

  /** Changes the design and says so to assistive tools. */
  function act(next: Design, note: string): void {
    if (next === design()) return
    change(next)
    state.note = note
  }

  function select(id: string | null): void {
    settle()
    state.isEditing = false
    state.selected = id
  }

  function hasRoom(): boolean {
    if (countBlocks(design()) < designBlocksMaxCount) return true
    state.note = t('A mail has at most {count} blocks.', { count: designBlocksMaxCount })
    return false
  }

  function insert(block: Block, place: DropPlace): void {
    if (!hasRoom()) return
    const next =
      'rowAt' in place
        ? operations.insertRow(design(), place.rowAt, operations.newRow([block], makeId))
        : operations.insertAt(design(), place, block)
    act(next, t('The block was added.'))
    select(block.id)
  }

  /** After the selected block; else at the end of the selected row; else in a new row at the end. */
  function add(block: Block): void {
    const { selected } = state
    const row = design().rows.find(({ id }) => id === selected)
    if (selected !== null && findBlock(design(), selected) !== null) {
      if (!hasRoom()) return
      act(operations.insertAfter(design(), selected, block), t('The block was added.'))
      select(block.id)
    } else if (row) insert(block, { rowId: row.id, column: 0, at: row.columns[0]?.blocks.length ?? 0 })
    else insert(block, { rowAt: design().rows.length })
  }

  function placeAfter(id: string | null): DropPlace | null {
    const place = id === null ? undefined : findBlock(design(), id)?.place
    return place === undefined ? null : { ...place, at: place.at + 1 }
  }

  function remove(): void {
    const { selected } = state
    if (selected === null) return
    const order = blockOrder(design())
    const at = order.indexOf(selected)
    const isRow = design().rows.some(({ id }) => id === selected)
    const next = isRow ? operations.removeRow(design(), selected) : operations.removeBlock(design(), selected)
    act(next, isRow ? t('The row was deleted.') : t('The block was deleted.'))
    const left = new Set(blockOrder(design()))
    select(at < 0 ? null : (order.slice(at).find((id) => left.has(id)) ?? order.findLast((id) => left.has(id)) ?? null))
  }

  function step(by: -1 | 1): void {
    const { selected } = state
    if (selected === null) return
    const isRow = design().rows.some(({ id }) => id === selected)
    const next = isRow ? operations.stepRow(design(), selected, by) : operations.stepBlock(design(), selected, by)
    act(next, by < 0 ? t('Moved up.') : t('Moved down.'))
  }

  function duplicate(): void {
    const { selected } = state
    if (selected === null || !hasRoom()) return
    const before = new Set(allIds(design()))
    const isRow = design().rows.some(({ id }) => id === selected)
    const next = isRow
      ? operations.duplicateRow(design(), selected, makeId)
      : operations.duplicateBlock(design(), selected, makeId)
    act(next, t('Duplicated.'))
    const copies = isRow ? design().rows.map(({ id }) => id) : blockOrder(design())
    select(copies.find((id) => !before.has(id)) ?? selected)
  }

  async function changeSaved(call: () => Promise<unknown>): Promise<void> {
    try {
      await call()
      state.saved = (await listSavedBlocks(session)).map((one) => ref(one))
      state.savedProblem = null
    } catch (error) {
      state.savedProblem = errorText(error)
    }
  }

  return {
    state,
    /** Where the last key was pressed: the focus returns there when its element is drawn again. */
    keys,
    /** Where the mail is drawn. */
    canvas,
    setCanvas: (root: ShadowRoot) => void (canvas.root = root),
    pressedIn: (place: 'canvas' | 'list') => void (keys.place = place),
    t,
    design,
    select,
    edit(id: string) {
      if (state.isEditing && state.selected === id) return
      select(id)
      state.isEditing = true
    },
    stopEditing() {
      settle()
      state.isEditing = false
    },
    /** Selects the block before or after the selected one, in reading order. */
    selectNext(by: -1 | 1) {
      const order = blockOrder(design())
      const at = state.selected === null ? -1 : order.indexOf(state.selected)
      const next = order[at < 0 ? 0 : at + by]
      if (next !== undefined) select(next)
    },
    /** Selects the table or row around the selected block; nothing around a row. */
    selectOuter() {
      const found = state.selected === null ? null : findBlock(design(), state.selected)
      select(found === null ? null : (outerTable(design(), found.block.id) ?? found.row.id))
    },
    addNew: (kind: BlockKind) => add(newBlock(kind, makeId, t)),
    insertNew: (kind: BlockKind, place: DropPlace) => insert(newBlock(kind, makeId, t), place),
    /** A copy of a saved block. */
    addSaved: (block: Block) => add(operations.copyBlock(block, makeId)),
    /** A row of columns below the row of the selected block, or at the end. */
    addColumns(count: number) {
      const found = state.selected === null ? null : findBlock(design(), state.selected)
      const own = design().rows.findIndex(({ id }) => id === (found?.row.id ?? state.selected))
      const row = operations.setColumnCount(operations.newRow([], makeId), count)
      act(operations.insertRow(design(), own < 0 ? design().rows.length : own + 1, row), t('The columns were added.'))
      select(row.id)
    },
    session,
    /** Opens the library for an image block; null closes it. */
    pickImage: (id: string | null) => void (state.picking = id),
    giveImages: (files: readonly File[], place: DropPlace | null) =>
      void (state.given = files.length === 0 ? null : ref({ files, place: place ?? placeAfter(state.selected) })),
    /** The files that wait to be uploaded, once. */
    takeImages(): GivenImages | null {
      const { given } = state
      state.given = null
      return given
    },
    /** Inserts an uploaded image; its alternative text is asked for then. */
    insertImage(shown: Omit<Block & { type: 'image' }, 'id' | 'type'>, image: LibraryImage, place: DropPlace | null) {
      const block: Block = { ...shown, id: makeId(), type: 'image' }
      const isThere = place !== null && ('rowAt' in place || exists(place.rowId))
      if (isThere) insert(block, place)
      else add(block)
      if (exists(block.id)) state.placed.push({ id: block.id, image })
    },
    /** The alternative text of the first of the placed images was asked for. */
    describedImage: () => void state.placed.shift(),
    remove,
    step,
    duplicate,
    move(id: string, place: DropPlace) {
      const next =
        'rowAt' in place
          ? operations.moveToNewRow(design(), id, place.rowAt, makeId)
          : operations.moveBlock(design(), id, place)
      act(next, t('The block was moved.'))
      select(id)
    },
    /** `key` joins changes of one field into one step of undo. */
    update(id: string, key: string, changeBlock: (block: Block) => Block) {
      change(operations.updateBlock(design(), id, changeBlock), `${id} ${key}`)
    },
    updateRow(id: string, key: string, changeRow: (row: Row) => Row) {
      change(operations.updateRow(design(), id, changeRow), `${id} ${key}`)
    },
    setTheme(theme: Partial<Theme>) {
      change(operations.updateTheme(design(), theme), `theme ${Object.keys(theme).join()}`)
    },
    undo: () => show(history.undo(steps)),
    redo: () => show(history.redo(steps)),
    /** Hears of every change. */
    setListener(next: (design: Design) => void) {
      listener = next
    },
    /** Shows another design, such as a restored version: a step that can be undone. */
    replace(next: Design) {
      for (const id of allIds(next)) known.add(id)
      change(next)
    },
    setPreview: (preview: DesignState['preview']) => void (state.preview = preview),
    setDark: (isDark: boolean) => void (state.isDark = isDark),
    loadSaved: () => changeSaved(() => Promise.resolve()),
    saveBlock(name: string) {
      const found = state.selected === null ? null : findBlock(design(), state.selected)
      return changeSaved(() =>
        found === null ? Promise.resolve() : createSavedBlock(session, { name, block: found.block }),
      )
    },
    deleteSaved: (id: string) => changeSaved(() => deleteSavedBlock(session, id)),
  }
}

/** Ids of the blocks in reading order; a table comes before what is in it. */
export function blockOrder({ rows }: Design): string[] {
  const ofBlock = (block: Block): string[] => [block.id, ...innerBlocks(block).flatMap(ofBlock)]
  return rows.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks.flatMap(ofBlock)))
}

/** The innermost table around a block; null for one in a column. */
function outerTable(design: Design, id: string): string | null {
  const search = (block: Block): string | null => {
    const inner = innerBlocks(block)
    if (inner.some((each) => each.id === id)) return block.id
    for (const each of inner) {
      const found = search(each)
      if (found !== null) return found
    }
    return null
  }
  const all = design.rows.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
  for (const block of all) {
    const found = search(block)
    if (found !== null) return found
  }
  return null
}
