import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../../../kit/shadow/sheet.ts'
import { useMessages } from '../../../kit/text/text.tsx'
import type { Design } from '../../../../contract/design/design.ts'
import type { BodyTools, ComposeStore } from '../../compose-types.ts'
import { MoreTools } from './more-tools.tsx'
import { createTools, mountOver } from './take-place.ts'
import { css } from './text-editor.css'
import { TextPanels } from './text-panels.tsx'
import { createWriter } from './writer-store.ts'

const sheet = createSheet(css)

/** The rich text editor, in place of the text box that stays behind it. */
export function TextEditor({
  store,
  area,
  isComposing,
  onTools,
}: {
  store: ComposeStore
  area: RefObject<HTMLTextAreaElement | null>
  isComposing: RefObject<boolean>
  onTools: (tools: BodyTools | null) => void
}) {
  useSheet(sheet)
  const t = useMessages()
  const { draft } = useSnapshot(store.state)
  const place = useRef<HTMLDivElement>(null)
  const [writer] = useState(() => createWriter(store))
  const [tools] = useState(() => createTools(t))

  useLayoutEffect(() => {
    if (area.current === null || place.current === null) return
    const unmount = mountOver(area.current, place.current, {
      ...{ store, tools, writer, t },
      isComposing: isComposing.current,
      onReady: () => onTools({ apply: tools.apply, more: <MoreTools tools={tools} /> }),
    })
    return () => {
      unmount()
      onTools(null)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- mounted once; a language that changes later is rare
  }, [])

  // What another part wrote, such as a restored draft, is shown; the editor's own text is not.
  const design = draft.design as Design | null
  const { text } = draft
  useEffect(() => {
    writer.show(design, text)
  }, [writer, design, text])

  return (
    <>
      <div ref={place} className="rich-place" />
      <TextPanels store={store} tools={tools} />
    </>
  )
}
