import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Snapshot } from 'valtio/vanilla'
import type { Draft } from '../compose-state.ts'
import type { BodyTools, ComposeStore, DesignPart } from '../compose-types.ts'
import { useModule } from '../../kit/use-module.ts'
import { plainHtml } from '../modes/text/plain-html.ts'
import { snippetTools } from './snippet-tools.ts'
import type { SnippetName } from './snippets.ts'
import type { WritingAids } from './subject-row.tsx'
import { useMessages } from '../../kit/text/text.tsx'

const loadHtml = () => import('../modes/html/html-tools.tsx')
const loadText = () => import('../modes/text/text-part.ts')

const needsPart = ({ mode, messageBody }: Snapshot<Draft>, aids: WritingAids | undefined) =>
  mode === 'html' && messageBody.includes('\r') && !aids

const isSettled = (status: string) => status !== 'loading' && status !== 'idle'

/** The message, with the tools that every mode has. */
export function BodyEditor({ store, aids }: { store: ComposeStore; aids: WritingAids | undefined }) {
  const { mode, newer } = useSnapshot(store.state, { sync: true }).draft
  const { loadDesign } = store
  if (mode === 'design' && loadDesign) return <BlocksBody store={store} load={loadDesign} isNewer={!!newer} />
  return <TextBody store={store} aids={aids} />
}

/** The tools of a mode, what takes them when they come, and what a press does: it waits until then, also in another mode. */
function useTools({ pressed }: ComposeStore) {
  const [tools, setTools] = useState<BodyTools | null>(null)
  const [held] = useState(() => {
    // A press may come before the tools that came are rendered.
    let current: BodyTools | null = null
    const apply = () => {
      if (current) for (const name of pressed.splice(0)) current.apply(name)
    }
    return {
      hold: (next: BodyTools | null) => {
        setTools((current = next))
        apply()
      },
      press: (name: SnippetName) => {
        pressed.push(name)
        apply()
      },
    }
  })
  return { tools, ...held }
}

interface BlocksBodyProps {
  store: ComposeStore
  load: () => Promise<DesignPart>
  isNewer: boolean
}

/** The message as blocks, once their editor is there. A design of a newer edition has none, and nothing that tools could change. */
function BlocksBody({ store, load, isNewer }: BlocksBodyProps) {
  const t = useMessages()
  const { tools, hold, press } = useTools(store)
  const { module, retry } = useModule(load, true)
  return (
    <>
      {(tools ?? !isNewer) && <SnippetTools isHeld onTool={press} />}
      <div className="blocks" role="group" aria-label={t('Message body')}>
        {module && <module.DesignBody store={store} onTools={hold} />}
      </div>
      <PartMissing retry={retry} />
    </>
  )
}

const htmlBox = {
  className: 'painted body',
  placeholder: '<p>Write your message in HTML, or use the buttons above.</p>',
  // A text box holds LF alone, and a caret would jump if it were given others.
  valueOf: ({ messageBody }: { messageBody: string }) => messageBody.replace(/\r\n?/g, '\n'),
} as const
const textBox = {
  className: 'painted body letter',
  placeholder: 'Write your message.',
  valueOf: ({ text }: { text: string }) => text,
} as const

/** Of the size of the tools that come with the editor of Text mode, so that nothing moves then. */
const roomForMore = Array.from({ length: 8 }, (_, at) => (
  <button key={at} type="button" className="more" style={{ visibility: 'hidden' }} disabled>
    <svg width={16} height={16} />
  </button>
))

/** 10 rows (spec §2). Text mode begins as a text box, until its editor comes. */
function TextBody({ store, aids }: { store: ComposeStore; aids: WritingAids | undefined }) {
  const t = useMessages()
  const { draft, hide, readonly, configs } = useSnapshot(store.state, { sync: true })
  const { mode } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  const isComposing = useRef(false)
  const { tools, hold, press } = useTools(store)
  const [isWanted, setWanted] = useState(false)
  const text = useModule(loadText, mode === 'text' && (isWanted || draft.design !== null))
  const isHtml = mode === 'html'
  const html = useModule(loadHtml, isHtml && (isWanted || isSettled(configs.status)))

  // After what the form needs to send, once the page has nothing else to do.
  const isIdle = mode === 'text' && isSettled(configs.status)
  useEffect(() => {
    if (!isIdle) return
    const timer = setTimeout(() => setWanted(true), 1000)
    return () => clearTimeout(timer)
  }, [isIdle])

  const hasReturns = draft.messageBody.includes('\r')
  const write = (typed: string) => {
    // Beside a design it waits for the editor, which adds it.
    if (mode === 'text')
      store.write({ text: typed, mode, ...(draft.design === null && { messageBody: plainHtml(typed) }) })
    else store.write({ messageBody: hasReturns && aids ? aids.spliceSource(draft.messageBody, typed) : typed, mode })
  }
  const box = isHtml ? htmlBox : textBox
  /** Until a part comes that knows how to change it. */
  const isFixed = readonly.includes('body') || needsPart(draft, aids)
  return (
    <>
      {hide.includes('snippets') || (
        <SnippetTools
          onTool={(name) => {
            press(name)
            setWanted(true)
            // What is typed before the tools come goes into the message, as it does later.
            if (!tools) area.current?.focus()
          }}
        >
          {isHtml
            ? html.module && <html.module.HtmlTools store={store} area={area} isFixed={isFixed} onTools={hold} />
            : (tools?.more ?? roomForMore)}
        </SnippetTools>
      )}
      <span className={box.className}>
        {aids && isHtml && <aids.SyntaxOverlay text={draft.messageBody} control={area} />}
        <textarea
          key={mode}
          ref={area}
          rows={10}
          dir="auto"
          aria-label={t('Message body')}
          placeholder={t(box.placeholder)}
          value={box.valueOf(draft)}
          spellCheck
          readOnly={isFixed}
          onChange={(event) => write(event.currentTarget.value)}
          onFocus={() => setWanted(true)}
          onCompositionStart={() => (isComposing.current = true)}
          onCompositionEnd={() => (isComposing.current = false)}
        />
        {aids && isHtml && <aids.Completion store={store} control={area} />}
        {!isHtml && text.module && (
          <text.module.TextEditor store={store} area={area} isComposing={isComposing} onTools={hold} />
        )}
      </span>
      <PartMissing retry={(isHtml ? html : text).retry} />
    </>
  )
}

/** `isHeld`: a press leaves the focus where it is, so that a selection of words stays. */
function SnippetTools({
  onTool,
  isHeld = false,
  children,
}: {
  onTool: (name: SnippetName) => void
  isHeld?: boolean
  children?: ReactNode
}) {
  const t = useMessages()
  return (
    <div
      className="tools"
      role="group"
      aria-label={t('Snippets')}
      onPointerDown={(event) => isHeld && event.preventDefault()}
    >
      {snippetTools.map(([name, face = t(name)]) => (
        <button key={name} type="button" aria-label={t(name)} title={t(name)} onClick={() => onTool(name)}>
          {face}
        </button>
      ))}
      {children}
    </div>
  )
}

/** A part of the editor that did not come. What was written stays. */
function PartMissing({ retry }: { retry: (() => void) | undefined }) {
  const t = useMessages()
  return (
    <p className="part-missing" role="status">
      {retry && (
        <>
          {t('The editor could not be loaded. Your message is kept, and it can be sent.')}{' '}
          <button type="button" className="link" onClick={retry}>
            {t('Try Again')}
          </button>
        </>
      )}
    </p>
  )
}
