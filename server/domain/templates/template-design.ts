import { AppError } from '../../../contract/core/errors.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import { renderedMaxBytes } from '../../../contract/mail/template.limits.ts'
import { isNewerDesign, migrateDesign } from '../../../mail-design/migrate.ts'
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

/** What is stored of a message that has a design. */
export interface StoredDesign {
  design: unknown
  preheader: string
}

/**
 * The writing of a stored design with another preheader; null where it stays as it is. Throws `design_invalid` for one of a
 * newer edition, which cannot be rendered here.
 */
export function changePreheader({ design, preheader: stored }: StoredDesign, preheader: string): Writing | null {
  if (!isNewerDesign(design)) return renderDesign(design, preheader)
  if (preheader === stored) return null
  throw invalidDesign([{ path: [], reason: preheaderOfNewer }], 'preheader')
}

const preheaderOfNewer =
  'A newer edition has written the design that this preheader is part of. Leave preheader out, or update before you change it.'

/** A stored design in the current version; one of a newer edition stays as it is. */
export const storedDesign = (document: unknown) => migrateDesign(document) as Design

/** The HTML of a stored design; of one of a newer edition, which cannot be rendered here, that which was stored with it. */
export const htmlOfStored = (design: Design, html: string) =>
  isNewerDesign(design) ? html : renderDesign(design, undefined).body

/** A document of this or an older version. Throws `design_invalid` with each fault's path and reason. */
function readDesign(document: unknown): Design {
  const design = migrateDesign(document)
  const faults = validateDesign(design)
  if (faults.length > 0) throw invalidDesign(faults)
  return design as Design
}

/** Throws `design_invalid` where a message keeps the design of a newer edition and has to be built again. */
export function refuseNewer(design: unknown): void {
  if (isNewerDesign(design)) throw invalidDesign([{ path: [], reason: messageOfNewer }])
}

const messageOfNewer =
  'A newer edition has written the design of this message, and it leaves as it is. Send content or a design of this edition with the change, or update before you change it.'

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
