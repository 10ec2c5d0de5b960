import { proxy, ref } from 'valtio/vanilla'
import { listContactFields } from '../../../../client/audience/contact-field.ts'
import { listLists } from '../../../../client/audience/list.ts'
import { createSegment, getSegment, listSegments, updateSegment } from '../../../../client/audience/segment.ts'
import { ApiError, errorText, isAbort, type Session } from '../../../../client/core/http.ts'
import { segmentErrors } from '../../../../contract/audience/segment.errors.ts'
import type { RuleProblem, RuleTargets, SegmentRule } from '../../../../contract/audience/segment-rule.ts'
import type { Segment } from '../../../../contract/audience/segment.ts'
import { pageLanguage } from '../../../../widgets/lib/messages/messages.ts'
import type { Notify } from '../../../../widgets/lib/notify.ts'
import { addPart, changeGroup, changeRow, movePart, neighbourOf, removePart, rowsOf, type Move } from './edit-draft.ts'
import { exampleSegments } from '../example-segments.ts'
import { createPreviewStore } from './preview-store.ts'
import { checkDraft, emptyRow, newGroup, readDraft, type Group, type Row, type RowFault } from './rule-draft.ts'
import type { RuleNames } from './rule-words.ts'
import { createValueSuggestions } from './value-suggestions.ts'

export interface SegmentState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  /** As saved last; null for a new segment. Replaced whole, never changed in place. */
  segment: Segment | null
  name: string
  /** Replaced whole, never changed in place. */
  root: Group
  names: RuleNames
  targets: RuleTargets
  /** Its people follow every change. */
  isLive: boolean
  /** By the keys of the rows. */
  faults: Readonly<Record<number, RowFault>>
  wholeFault: RuleProblem | null
  isDirty: boolean
  saving: 'idle' | 'saving'
  nameProblem: string | null
  /** Why the last save failed, where it was not the name. */
  problem: string | null
  /** Where the focus goes after a change of the rows. */
  focus: { key: number; control: 'field' | 'menu' } | null
}

/** State and actions of the segment builder. `id` null: a new segment, from the example of this key where there is one. */
export function createSegmentStore(
  { session, notify }: { session: Session; notify: Notify },
  { id, example }: { id: string | null; example: string | null },
) {
  let lastKey = 0
  const newKey = () => ++lastKey
  const preview = createPreviewStore(session)
  const state = proxy<SegmentState>({
    status: 'loading',
    error: null,
    segment: null,
    name: '',
    root: ref(newGroup('all', newKey)),
    names: ref({ fields: [], lists: [], segments: [] }),
    targets: ref({ fields: new Map(), lists: new Set(), segments: new Set() }),
    isLive: false,
    faults: ref({}),
    wholeFault: null,
    isDirty: false,
    saving: 'idle',
    nameProblem: null,
    problem: null,
    focus: null,
  })
  const suggestions = createValueSuggestions(session)
  let loading = new AbortController()
  let saved = { name: '', rule: '', isLive: false }
  let rule: SegmentRule = { all: [] }
  let counted = ''

  async function load(): Promise<void> {
    loading.abort()
    const { signal } = (loading = new AbortController())
    Object.assign(state, { status: 'loading', error: null })
    try {
      const [segment, fields, lists, segments] = await Promise.all([
        id === null ? null : getSegment(session, id, { signal }),
        listContactFields(session, { signal }),
        listLists(session, { signal }),
        listSegments(session, { signal }),
      ])
      // A rule that leads back to its own segment is refused.
      const others = segments.filter((other) => other.id !== id)
      state.names = ref({ fields, lists, segments: others })
      state.targets = ref({
        fields: new Map(fields.map(({ no, type }) => [no, type])),
        lists: new Set(lists.map((list) => list.id)),
        segments: new Set(others.map((other) => other.id)),
      })
      begin(segment)
      state.status = 'ready'
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  /** Shows a saved segment, or a new one. */
  function begin(segment: Segment | null): void {
    state.segment = segment && ref(segment)
    const start = segment ?? exampleSegments.find(({ key }) => key === example)
    if (start !== undefined) {
      state.name = segment === null ? pageLanguage.t(start.name) : start.name
      state.root = ref(readDraft(start.rule, newKey))
    }
    state.isLive = segment?.is_live ?? false
    check()
    saved = { name: state.name, rule: JSON.stringify(rule), isLive: state.isLive }
    state.isDirty = false
  }

  /** Checks the rule, and counts it where it has changed. */
  function check(): void {
    const { rule: written, faults, wholeFault } = checkDraft(state.root, state.targets)
    rule = written
    Object.assign(state, { faults: ref(faults), wholeFault })
    const text = JSON.stringify(rule)
    state.isDirty = state.name !== saved.name || text !== saved.rule || state.isLive !== saved.isLive
    if (text === counted) return
    counted = text
    preview.count(isValid() ? rule : null, state.segment?.id ?? null)
  }

  const isValid = () => state.wholeFault === null && Object.keys(state.faults).length === 0

  function edit(root: Group, focus: SegmentState['focus'] = null): void {
    Object.assign(state, { root: ref(root), problem: null })
    if (focus !== null) state.focus = focus
    check()
  }

  function fail(error: unknown): void {
    if (isAbort(error)) return
    const text = errorText(error)
    const isName =
      error instanceof ApiError &&
      (error.detail === segmentErrors.segment_exists.sentence || error.items.some(({ loc }) => loc.at(-1) === 'name'))
    if (isName) state.nameProblem = text
    else state.problem = text
  }

  return {
    state,
    preview,
    suggestions,
    load,
    /** Loads the segment; returns the undo. */
    start() {
      void load()
      return () => {
        loading.abort()
        preview.stop()
      }
    },
    setName(name: string) {
      Object.assign(state, { name, nameProblem: null })
      check()
    },
    setLive(isLive: boolean) {
      Object.assign(state, { isLive, problem: null })
      check()
    },
    changeRow: (key: number, change: Partial<Omit<Row, 'kind' | 'key'>>) => edit(changeRow(state.root, key, change)),
    changeGroup: (key: number, change: Partial<Pick<Group, 'join' | 'isNegated'>>) =>
      edit(changeGroup(state.root, key, change)),
    addRow(groupKey: number) {
      const row = emptyRow(newKey())
      edit(addPart(state.root, groupKey, row), { key: row.key, control: 'field' })
    },
    /** Adds a group of the other kind, with an empty row. */
    addGroup({ key, join }: Pick<Group, 'key' | 'join'>) {
      const group = newGroup(join === 'all' ? 'any' : 'all', newKey)
      edit(addPart(state.root, key, group), { key: rowsOf(group)[0]?.key ?? group.key, control: 'field' })
    },
    remove(key: number) {
      const next = neighbourOf(state.root, key)
      edit(removePart(state.root, key), { key: next?.key ?? state.root.key, control: 'menu' })
    },
    move: (key: number, move: Move) => edit(movePart(state.root, key, move), { key, control: 'menu' }),
    focused() {
      state.focus = null
    },
    isDirty: () => state.status === 'ready' && state.isDirty,
    /** Saves the name, the rule and whether it is kept up to date. Returns the saved segment; null where it failed, with the reason in the state. */
    async save(): Promise<Segment | null> {
      if (state.saving === 'saving') return null
      const name = state.name.trim()
      if (name === '') {
        state.nameProblem = pageLanguage.t('Enter a name')
        return null
      }
      if (!isValid()) {
        state.problem = pageLanguage.t('Complete the rules that are marked, then save again.')
        return null
      }
      Object.assign(state, { saving: 'saving', nameProblem: null, problem: null })
      const sent = { name: state.name, rule: JSON.stringify(rule), isLive: state.isLive }
      try {
        const body = { name, rule, is_live: state.isLive }
        const segment = await (state.segment === null
          ? createSegment(session, body)
          : updateSegment(session, state.segment.id, body))
        state.segment = ref(segment)
        saved = sent
        check()
        notify({ kind: 'success', text: pageLanguage.t('Segment saved') })
        return segment
      } catch (error) {
        fail(error)
        return null
      } finally {
        state.saving = 'idle'
      }
    },
  }
}

export type SegmentStore = ReturnType<typeof createSegmentStore>
