import type { Snapshot } from 'valtio/vanilla'
import type { Design } from '../../../contract/design/design.ts'
import type { Draft } from '../compose-state.ts'
import { withTyped } from '../modes/with-typed.ts'

type Body = { design: Design; preheader: string } | { source: string; preheader?: string }

/** What is written, as calls take it: the design, which the server renders, else the source byte for byte. */
function readBody({ mode, design, text, messageBody, preheader }: Snapshot<Draft>): Body {
  if (mode !== 'html' && design !== null) return { design: withTyped(design as Design, text), preheader }
  return { source: messageBody, ...(preheader !== '' && { preheader }) }
}

/** Of a send call. */
export function contentOf(draft: Snapshot<Draft>) {
  const body = readBody(draft)
  if ('design' in body) return body
  const { source, ...rest } = body
  return { content: source, ...rest }
}

/** Of a campaign or a template. */
export function bodyOf(draft: Snapshot<Draft>) {
  const body = readBody(draft)
  if ('design' in body) return body
  const { source, ...rest } = body
  return { body: source, ...rest }
}
