import { AppError } from '../../../contract/core/errors.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import { renderedMaxBytes } from '../../../contract/mail/template.limits.ts'
import { migrateDesign } from '../../../mail-design/migrate.ts'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { validateBlock, validateDesign } from '../../../mail-design/validate.ts'

/** How a message was written: its design, or its body as code. */
export interface Writing {
  mode: TemplateMode
  design: Design | null
  preheader: string
  body: string
}

/** The writing of a design. Its HTML is rendered here, never taken from a caller. Throws `design_invalid`. */
export function renderDesign(document: unknown, preheader: string | undefined): Writing {
  const design = readDesign(document)
  const complete = preheader === undefined ? design : { ...design, preheader }
  const again = preheader === undefined ? [] : validateDesign(complete)
  if (again.length > 0) throw invalidDesign(again)
  const body = renderHtml(complete)
  if (Buffer.byteLength(body) > renderedMaxBytes)
    throw invalidDesign([{ path: [], reason: 'Its HTML is larger than 1 MB. Remove blocks or shorten texts.' }])
  return { mode: modeOf(complete), design: complete, preheader: complete.preheader, body }
}

/** A stored design in the current version. */
export const storedDesign = (document: unknown) => migrateDesign(document) as Design

/** A document of this or an older version. Throws `design_invalid` with each fault's path and reason. */
function readDesign(document: unknown): Design {
  const design = migrateDesign(document)
  const faults = validateDesign(design)
  if (faults.length > 0) throw invalidDesign(faults)
  return design as Design
}

/** Throws `design_invalid` for a block that is not valid in itself. */
export function checkBlock(block: unknown): void {
  const faults = validateBlock(block)
  if (faults.length > 0) throw invalidDesign(faults, 'block')
}

function invalidDesign(
  faults: readonly { path: readonly (string | number)[]; reason: string }[],
  field = 'design',
): AppError {
  const items = faults.map(({ path, reason }) => ({
    loc: ['body', field, ...path],
    msg: reason,
    type: 'design_invalid',
  }))
  return new AppError('design_invalid', { items })
}

const modeOf = ({ layout }: Design): TemplateMode => (layout === 'letter' ? 'text' : 'design')
