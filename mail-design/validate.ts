import * as limits from '../contract/design/design.limits.ts'
import { colourRoles, fontNames, type DesignFault } from '../contract/design/design.ts'
import { address, html, imageAddress, label, quoted, variable } from './check-texts.ts'
import {
  addFault,
  all,
  boolean,
  checkAt,
  isRecord,
  list,
  number,
  object,
  oneOf,
  text,
  type Check,
  type CheckState,
} from './checks.ts'

/**
 * The faults of a document of the current version, at most 20; empty if it is a valid Design. Linear in its size.
 * An older document must be upgraded first (migrate.ts).
 */
export function validateDesign(document: unknown): DesignFault[] {
  const state = newState()
  if (isRecord(document) && typeof document['version'] === 'number' && document['version'] > limits.designVersion)
    checkAt('version', null, (_value, at) => addFault(at, newerVersion), state)
  else design(document, state)
  if (state.faults.length === 0 && byteLength(document) > limits.designMaxBytes)
    addFault(state, `It is larger than ${limits.designMaxBytes / 1024} KiB. Remove blocks or shorten texts.`)
  return state.faults
}

/** As validateDesign, for one block, such as a saved one. */
export function validateBlock(value: unknown): DesignFault[] {
  const state = newState()
  block(value, state)
  if (state.faults.length === 0 && byteLength(value) > limits.designMaxBytes)
    addFault(state, `It is larger than ${limits.designMaxBytes / 1024} KiB.`)
  return state.faults
}

const newerVersion = 'A newer edition has written this design. Update before you change it.'

function newState(): CheckState {
  return {
    ...{ path: [], faults: [], ids: new Set<string>() },
    ...{ blockCount: 0, cellBlockCount: 0, tableDepth: 0, isConditional: false },
  }
}

const byteLength = (document: unknown) => new TextEncoder().encode(JSON.stringify(document)).length

const hex: Check = (value, state) => {
  if (typeof value !== 'string' || !/^#[0-9a-f]{6}$/i.test(value)) addFault(state, 'Write a colour as #rrggbb.')
}
const pair = object({ light: hex, dark: hex })
const paint: Check = (value, state) => (isRecord(value) ? pair : hex)(value, state)
const colour: Check = (value, state) => {
  if (!colourRoles.includes(value as (typeof colourRoles)[number])) paint(value, state)
}

const px = number(0, 2000)
const sides = list(px, 4, 4)
const align = oneOf(['left', 'center', 'right'])
const valign = oneOf(['top', 'middle', 'bottom'])
const lineStyle = { width: number(0, 40), style: oneOf(['solid', 'dashed', 'dotted', 'double']), colour }
const border = object(lineStyle, { sides: list(oneOf(['top', 'right', 'bottom', 'left']), 4, 1) })
const box = {
  padding: sides,
  background: colour,
  border,
  radius: px,
  wide: object({}, { padding: sides, height: px, width: px }),
}

const sizes = {
  ...{ size: number(0, 400), lineHeight: number(0, 600), letterSpacing: number(-50, 50) },
  ...{ before: px, after: px, indent: px },
}
const style = object(
  {},
  {
    ...sizes,
    ...{ font: oneOf(fontNames), weight: oneOf([400, 700]), italic: boolean, uppercase: boolean },
    ...{ align, colour, nowrap: boolean, breakWords: boolean, wide: object({}, sizes) },
  },
)

const marks = object(
  {},
  {
    ...{ b: boolean, i: boolean, u: boolean, s: boolean, link: address, colour, size: number(8, 200) },
    ...{ lineHeight: number(8, 300), font: oneOf(fontNames), dropCap: boolean },
  },
)
const textItem = object({ text: text(limits.designMaxBytes) }, { marks })
const variableItem = object({ variable, fallback: quoted }, { marks })
const lineBreak = object({
  break: (value, state) => {
    if (value !== true) addFault(state, 'It must be true.')
  },
})
const inline: Check = (value, state) => {
  const kind = !isRecord(value)
    ? textItem
    : 'variable' in value
      ? variableItem
      : 'break' in value
        ? lineBreak
        : textItem
  kind(value, state)
}
const content = list(inline, 5000)

/** A list and those inside it, down to the deepest level. */
function listAt(depth: number, extra: Readonly<Record<string, Check>>, extraOptional = {}): Check {
  const nested: Check =
    depth >= limits.listDepthMax
      ? (_value, state) => addFault(state, `Lists are at most ${limits.listDepthMax} levels deep.`)
      : (value, state) => listAt(depth + 1, {})(value, state)
  return object({ ordered: boolean, items: list(object({ content }, { list: nested }), 1000), ...extra }, extraOptional)
}
const paragraph = object({ type: oneOf(['paragraph']), content }, { style })
const topList = listAt(1, { type: oneOf(['list']) }, { style })
const paragraphs = list(
  (value, state) => (isRecord(value) && value['type'] === 'list' ? topList : paragraph)(value, state),
  2000,
)

const id: Check = (value, state) => {
  if (typeof value !== 'string' || !/^[\w-]{1,40}$/.test(value)) {
    addFault(state, 'An id has 1 to 40 letters, digits, _ and -.')
    return
  }
  if (state.ids.has(value)) addFault(state, `Two parts have the id ${value}. Each id is used once.`)
  state.ids.add(value)
}

/** `block` has chosen the kind by it. */
const knownType: Check = () => undefined

const links = list(object({ label: label(), href: address }), limits.menuLinksMaxCount, 1)
const length: Check = (value, state) => {
  const isPx = isRecord(value) && 'px' in value
  object(isPx ? { px } : { percent: number(0, 100) })(value, state)
}

const cell = object(
  { blocks: list((value, state) => block(value, state), 20) },
  {
    ...box,
    ...{
      span: number(1, limits.tableColumnsMaxCount),
      width: length,
      height: px,
      align,
      valign,
      header: boolean,
      image: imageAddress,
    },
  },
)
const table: Check = (value, state) => {
  state.tableDepth += 1
  if (state.tableDepth > limits.tableDepthMax)
    addFault(state, `Tables are at most ${limits.tableDepthMax} levels deep.`)
  else tableShape(value, state)
  state.tableDepth -= 1
}
const tableShape = blockOf(
  {
    rows: list(
      object({ cells: list(cell, limits.tableColumnsMaxCount, 1) }, { decorative: boolean }),
      limits.tableRowsMaxCount,
      1,
    ),
  },
  { width: (value, state) => (value === 'content' ? undefined : length(value, state)), align },
)

function blockOf(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  return object({ id, type: knownType, ...required }, { ...box, ...optional })
}

const textBlock = blockOf({ content: paragraphs }, { style })
const menu = blockOf({ links }, { style })
const blockKinds: Readonly<Record<string, Check>> = {
  heading: blockOf({ level: oneOf([1, 2, 3]), content }, { style }),
  text: textBlock,
  footer: textBlock,
  button: blockOf(
    { label: label(), href: address },
    {
      ...{ fill: colour, colour, align, corners: px, inset: sides, size: number(8, 60) },
      ...{ weight: oneOf([400, 700]), fullWidth: boolean },
    },
  ),
  image: blockOf({ src: imageAddress, alt: label() }, { width: px, href: address, align }),
  divider: blockOf({ line: object(lineStyle) }, { share: number(1, 100) }),
  spacer: blockOf({ height: px }),
  menu,
  social: menu,
  table,
  product: blockOf(
    { name: label(), description: label(), price: label() },
    { image: object({ src: imageAddress, alt: label() }), button: object({ label: label(), href: address }) },
  ),
  html: blockOf({ html: html(limits.designMaxBytes) }, { name: text(100) }),
}

function block(value: unknown, state: CheckState): void {
  if (!isRecord(value)) {
    addFault(state, 'It must be an object.')
    return
  }
  const kind = typeof value['type'] === 'string' && Object.hasOwn(blockKinds, value['type']) ? value['type'] : null
  if (state.tableDepth > 0) state.cellBlockCount += 1
  else state.blockCount += 1
  if (state.blockCount === limits.designBlocksMaxCount + 1)
    addFault(state, `A design has at most ${limits.designBlocksMaxCount} blocks. Remove some.`)
  if (state.cellBlockCount === limits.cellBlocksMaxCount + 1)
    addFault(state, `The tables of a design have at most ${limits.cellBlocksMaxCount} blocks in their cells.`)
  if (kind === null) checkAt('type', value['type'], oneOf(Object.keys(blockKinds)), state)
  else blockKinds[kind]?.(value, state)
}

const condition = object({ variable, operator: oneOf(['filled', 'is', 'is_not']) }, { value: quoted })
const column = object(
  { span: number(0.5, limits.spanMax), blocks: list(block, limits.designBlocksMaxCount + 1) },
  { ...box, valign, maxWidth: number(100, limits.mailWidthMaxPx) },
)
const rowShape = object(
  { id, columns: list(column, limits.rowColumnsMaxCount, 1), stackOnPhone: boolean },
  { ...box, showIf: condition },
)
const spans: Check = (value, state) => {
  const columns = isRecord(value) && Array.isArray(value['columns']) ? (value['columns'] as unknown[]) : []
  const sum = columns.reduce<number>((total, each) => total + (isRecord(each) ? Number(each['span']) : 0), 0)
  if (sum > limits.spanMax + 0.01)
    addFault(state, `The columns take ${sum} of ${limits.spanMax} parts. Make one narrower.`)
}
const row: Check = (value, state) => {
  state.isConditional = isRecord(value) && value['showIf'] !== undefined
  all(rowShape, spans)(value, state)
}

const theme = object(
  {
    ...{ width: number(limits.mailWidthMinPx, limits.mailWidthMaxPx), background: paint, surface: paint },
    ...{ text: paint, link: paint, accent: paint, font: oneOf(fontNames), headingFont: oneOf(fontNames) },
    ...{ radius: px, dark: oneOf(['auto', 'off']) },
  },
  { tint: paint, quiet: paint, onAccent: paint, footer: paint, line: paint },
)
const language: Check = (value, state) => {
  if (typeof value !== 'string' || !/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(value))
    addFault(state, 'Write a language code such as en or pt-BR.')
}
const design: Check = object(
  {
    version: oneOf([limits.designVersion]),
    layout: oneOf(['letter', 'page']),
    theme,
    preheader: label(limits.preheaderMaxChars),
    rows: list(row, limits.designRowsMaxCount),
  },
  { language },
)
