import { useEffect, useRef, useState } from 'react'
import { Button } from '../../kit/form/button.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import type { ComposeStore, OpenPicker } from '../compose-types.ts'
import { css } from '../drafts/notices.css'
import { offeredModes } from '../modes/offered-modes.ts'
import { sweep } from '../drafts/undo.ts'
import { notLoaded } from '../../lib/compose-messages.ts'
import { message } from '../../lib/messages/message.ts'
import { useMessages } from '../../kit/text/text.tsx'

const sheet = createSheet(css)
const loadDesigns = () => import('../modes/read-design.ts')

type TemplateDraft = Parameters<OpenPicker>[1]['draft']

/** Detail of the picker's `sendwright:template-picked`. */
interface Picked {
  subject: string
  body: string
  contextTags: string[]
  design?: unknown
  preheader?: string
}

/** The template picker in a dialog, or its create dialog alone, which is one already. */
export function PickerDialog({ store, start }: { store: ComposeStore; start: 'pick' | 'create' }) {
  useSheet(sheet)
  const t = useMessages()
  const shut = () => store.set({ picker: 'closed' })
  if (start === 'create') return <PickerPlace store={store} start={start} onEnded={shut} />
  return (
    <Dialog title={t('Choose Template')} size="wide" onClosed={shut}>
      {(close) => <PickerPlace store={store} start={start} onEnded={close} />}
    </Dialog>
  )
}

function PickerPlace({
  store,
  start,
  onEnded,
}: {
  store: ComposeStore
  start: 'pick' | 'create'
  onEnded: () => void
}) {
  const t = useMessages()
  const place = useRef<HTMLDivElement>(null)
  const ended = useRef(onEnded)
  const [attempt, setAttempt] = useState<{ isFailed: boolean }>({ isFailed: false })
  useEffect(() => {
    ended.current = onEnded
  })
  useEffect(() => {
    const element = place.current
    if (element === null || !store.openPicker || attempt.isFailed) return
    const picked = (event: Event) => {
      apply(store, (event as CustomEvent<Picked>).detail).catch(() => store.notify({ kind: 'error', text: notLoaded }))
      ended.current()
    }
    const closed = () => ended.current()
    element.addEventListener('sendwright:template-picked', picked)
    element.addEventListener('sendwright:closed', closed)
    let isGone = false
    const { openPicker } = store
    const mounting = messageOf(store).then((draft) => openPicker(element, { start, draft }))
    mounting.catch(() => {
      if (!isGone) setAttempt({ isFailed: true })
    })
    return () => {
      isGone = true
      element.removeEventListener('sendwright:template-picked', picked)
      element.removeEventListener('sendwright:closed', closed)
      void mounting.then(
        (unmount) => unmount(),
        () => undefined, // Nothing was mounted.
      )
    }
  }, [store, start, attempt])
  return (
    <>
      {attempt.isFailed && (
        <p role="alert">
          {t('The templates could not be loaded.')}{' '}
          <Button size="small" onClick={() => setAttempt({ isFailed: false })}>
            {t('Try Again')}
          </Button>
        </p>
      )}
      <div className={start === 'pick' ? 'picker-place' : undefined} ref={place} />
    </>
  )
}

/** What is written, to make a template of. */
async function messageOf({ state, settle }: ComposeStore): Promise<TemplateDraft> {
  settle?.()
  const { subject, preheader, messageBody: body, design, mode } = state.draft
  const texts = { subject, body, ...(preheader !== '' && { preheader }) }
  if (design === null || mode === 'html') return texts
  return { ...texts, design, words: (await loadDesigns()).wordsOf(design) }
}

/** Fills subject and body from a template; the previous text can be restored. */
async function apply(
  store: ComposeStore,
  { subject, body, contextTags, design, preheader = '' }: Picked,
): Promise<void> {
  const code = { preheader, mode: 'html', messageBody: body, design: null, text: '' } as const
  const written =
    design === undefined
      ? code
      : ((await loadDesigns()).writingOf(design, preheader, offeredModes(store)) ??
          // The HTML of a design has its preheader.
          { ...code, preheader: '' })
  store.settle?.()
  const { draft } = store.state
  const change = { subject, ...written }
  if (draft.subject + draft.messageBody === '') store.write(change)
  else sweep(store, message('The template replaced your text.'), change)
  store.set({ tags: contextTags })
}
