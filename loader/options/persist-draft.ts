import { ref, snapshot, subscribe } from 'valtio/vanilla'
import type { DraftKeeper } from '../../widgets/compose/compose-types.ts'
import type { Design } from '../../contract/design/design.ts'
import type { ComposeState } from '../../widgets/compose/compose-state.ts'
import type { Options } from '../contract.ts'

type Composer = Parameters<DraftKeeper>[0]
type Content = ReturnType<typeof read>

/** How long typing rests before the text is kept. */
const keepAfterMs = 400
/** What a person changes a draft with. */
const acts = ['input', 'keydown', 'pointerdown', 'paste', 'drop']

/** How the text of each composer is kept. */
const keepers = new WeakMap<Composer, (options: Options) => void>()

/**
 * Keeps what a person writes in a composer in the tab's session storage until it is sent, and brings it back where the page
 * is loaded again: by embed, page and element. `draft="off"` keeps nothing. While something unsent is not kept, the browser
 * asks before the page is left. `keeper.close` becomes the undo.
 */
export function keepText(
  composer: Composer,
  frame: HTMLElement,
  options: Options,
  keeper: { close: () => void },
): void {
  const known = keepers.get(composer)
  if (known) known(options)
  else keepers.set(composer, start(composer, frame, options, keeper))
}

function start({ state, write, choose }: Composer, frame: HTMLElement, first: Options, keeper: { close: () => void }) {
  const key = keyOf((frame.getRootNode() as ShadowRoot).host, first)
  let isOff = first.draft === 'off'
  let isKept = true
  let isTouched = !isBlank(read(state), first)
  let untouched = isTouched ? '' : JSON.stringify(read(state))
  let content: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const ending = new AbortController()

  const keep = () => {
    clearTimeout(timer)
    timer = undefined
    const isStored = store(key, isOff ? null : content)
    isKept = isStored && (content === null || !isOff)
    guard()
  }
  const onBeforeUnload = (event: BeforeUnloadEvent) => {
    keep()
    if (!isKept) event.preventDefault()
  }
  /** Only while it may be needed: a page with such a listener is not kept for Back in some browsers. */
  const guard = () => {
    const isNeeded = content !== null && (!isKept || timer !== undefined)
    window[isNeeded ? 'addEventListener' : 'removeEventListener']('beforeunload', onBeforeUnload)
  }
  const note = () => {
    const now = read(state)
    const text = JSON.stringify(now)
    // What the page, a template or the list of mailboxes fills in is no text of a person.
    if (!isTouched) untouched = text
    const next = text === untouched || isBlank(now, {}) ? null : text
    if (next === content) return
    content = next
    clearTimeout(timer)
    timer = setTimeout(keep, keepAfterMs)
    // What was sent is forgotten at once.
    if (next === null) keep()
    else guard()
  }
  const onAct = () => {
    if (!isTouched) note()
    isTouched = true
  }

  const found = isOff ? null : find(key)
  if (isOff) store(key, null)
  if (found !== null) {
    const { senderId, entry, tags, ...kept } = found
    // What was typed before this came is newer.
    const { draft } = state
    const { subject, messageBody, recipients } = isTouched ? draft : { subject: '', messageBody: '', recipients: [] }
    const { mode, text, design } = kept
    Object.assign(state, { entry: state.entry || entry, tags })
    if (senderId !== '') {
      // Chosen now where the list is there, and by the list where it comes later.
      choose(state.configs.items.find(({ id }) => id === senderId)?.secret_key ?? '')
      state.senderId = senderId
    }
    write({
      subject: subject || kept.subject,
      ...(messageBody === '' && { messageBody: kept.messageBody, mode, text, design }),
      ...(recipients.length === 0 && { recipients: kept.recipients, sources: ref([...kept.sources]) }),
      context: { ...draft.context, ...kept.context },
    })
    isTouched = true
  }
  note()
  const unsubscribe = subscribe(state, note)
  for (const name of acts) frame.addEventListener(name, onAct, { capture: true, signal: ending.signal })
  window.addEventListener('pagehide', keep, ending)
  keeper.close = () => {
    note()
    keep()
    unsubscribe()
    ending.abort()
    window.removeEventListener('beforeunload', onBeforeUnload)
  }
  return ({ draft }: Options) => {
    isOff = draft === 'off'
    keep()
  }
}

/** Of the tab: the same element of the same page, by its id or by its place among the page's composers. */
function keyOf(element: Element, { embed = '' }: Options): string {
  const all = [...(element.getRootNode() as ParentNode).querySelectorAll('[data-sendwright=compose]')]
  return ['sendwright', embed, location.pathname + location.search, element.id || all.indexOf(element)].join(' ')
}

function read(state: ComposeState) {
  const { draft, entry, senderId, tags } = snapshot(state)
  const { subject, mode, messageBody, text, design, context, recipients, sources } = draft
  return {
    senderId,
    subject,
    mode,
    messageBody,
    text,
    design: design as Design | null,
    context,
    recipients,
    sources,
    entry,
    tags,
  }
}

/** Whether nothing is written but what the page has filled in. */
function isBlank({ subject, messageBody, recipients, entry }: Content, given: Options): boolean {
  const isOfNobody = recipients.length === 0 || Boolean(given.recipients)
  return ['', given.subject].includes(subject) && messageBody + entry === '' && isOfNobody
}

/** Whether a text could be kept; null forgets it. A page may be refused its storage, or have filled it. */
function store(key: string, text: string | null): boolean {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
    return true
  } catch {
    return text === null
  }
}

/** Null for nothing, and for what the page's own scripts have changed into something else. */
function find(key: string): Content | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? '') as Content
    const { senderId, subject, messageBody, entry } = found
    const isOfTexts = [senderId, subject, messageBody, entry].every((one) => typeof one === 'string')
    return isOfTexts && [found.recipients, found.sources, found.tags].every(Array.isArray) ? found : null
  } catch {
    return null
  }
}
