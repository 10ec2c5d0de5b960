import type { Snapshot } from 'valtio/vanilla'
import type { Design } from '../../../contract/design/design.ts'
import type { Draft } from '../compose-state.ts'

type Body = { design: Design; preheader: string } | { source: string; preheader?: string }

/** What is written, as calls take it: the design, which the server renders, else the source byte for byte. */
async function readBody({ mode, design, text, messageBody, preheader }: Snapshot<Draft>): Promise<Body> {
  if (mode !== 'html' && design !== null) {
    if (text === '') return { design: design as Design, preheader }
    const { withTyped } = await import('../modes/mode-store.ts')
    return { design: withTyped(design as Design, text), preheader }
  }
  return { source: messageBody, ...(preheader !== '' && { preheader }) }
}

/** Of a send call. */
export async function contentOf(draft: Snapshot<Draft>) {
  const body = await readBody(draft)
  if ('design' in body) return body
  const { source, ...rest } = body
  return { content: source, ...rest }
}

/** Of a campaign or a template. */
export async function bodyOf(draft: Snapshot<Draft>) {
  const body = await readBody(draft)
  if ('design' in body) return body
  const { source, ...rest } = body
  return { body: source, ...rest }
}
