/**
 * A design document: what the editor edits and the server renders. Lengths are px, colours sRGB. A mail is designed for a
 * phone; `wide` holds what differs on screens of 480 px and more. Texts may hold any character; merge variables are items
 * of their own, except in addresses and labels, which use the merge grammar.
 */
export interface Design {
  version: 1
  /** `page`: rows on a canvas. `letter`: one column of plain text, like a mail from a mail program. */
  layout: 'letter' | 'page'
  theme: Theme
  /** Text behind the subject in the inbox. Merge grammar. */
  preheader: string
  /** Language of the text (BCP 47); default `en`. */
  language?: string
  rows: Row[]
}

/** Names of theme colours. The first four are fills. */
export const colourRoles = [
  ...(['background', 'surface', 'tint', 'accent'] as const),
  ...(['text', 'quiet', 'link', 'onAccent', 'footer', 'line'] as const),
] as const
export type ColourRole = (typeof colourRoles)[number]

/** `#rrggbb`. */
export type Hex = `#${string}`
/** A colour, with its variant for dark mode; without one the renderer derives it. */
export type Paint = Hex | { light: Hex; dark: Hex }
/** A colour of the theme, or one of its own. */
export type Colour = ColourRole | Paint

export const fontNames = [
  ...(['helvetica', 'arial', 'verdana', 'tahoma', 'trebuchet'] as const),
  ...(['georgia', 'times', 'courier', 'menlo'] as const),
] as const
export type FontName = (typeof fontNames)[number]

/** Defaults of a mail: `tint` to `line` derive from the other colours if absent. */
export interface Theme extends Partial<Record<'tint' | 'quiet' | 'onAccent' | 'footer' | 'line', Paint>> {
  /** 480 to 720. */
  width: number
  background: Paint
  surface: Paint
  text: Paint
  link: Paint
  accent: Paint
  font: FontName
  headingFont: FontName
  /** Corners of buttons. */
  radius: number
  /** `off`: the mail has no colours for dark mode. */
  dark: 'auto' | 'off'
}

/** Top, right, bottom, left. */
export type Sides = [number, number, number, number]

export interface Border {
  width: number
  style: 'solid' | 'dashed' | 'dotted' | 'double'
  colour: Colour
  /** Default: all four. */
  sides?: ('top' | 'right' | 'bottom' | 'left')[]
}

/** Space, fill and frame of a row, a column, a block or a cell. */
export interface Box {
  padding?: Sides
  background?: Colour
  border?: Border
  radius?: number
  wide?: { padding?: Sides; height?: number; width?: number }
}

/** A row is in a recipient's mail only if its condition holds. `value` is compared without regard to case. */
export interface Condition {
  variable: string
  operator: 'filled' | 'is' | 'is_not'
  value?: string
}

export interface Row extends Box {
  id: string
  columns: Column[]
  /** Columns below each other on a phone. */
  stackOnPhone: boolean
  showIf?: Condition
}

export interface Column extends Box {
  /** Share of the row's width, of 12. */
  span: number
  blocks: Block[]
  /** Place of the blocks in a row of several columns; default top. */
  valign?: VerticalAlign
  /** Widest, in px: the column is centred in its row. */
  maxWidth?: number
}

export type Align = 'left' | 'center' | 'right'
export type VerticalAlign = 'top' | 'middle' | 'bottom'

/** Sizes that may differ on wide screens. `before`, `after`: space above and below. */
export interface TextSizes {
  size?: number
  lineHeight?: number
  letterSpacing?: number
  before?: number
  after?: number
}

export interface TextStyle extends TextSizes {
  font?: FontName
  weight?: 400 | 700
  italic?: boolean
  uppercase?: boolean
  align?: Align
  colour?: Colour
  /** No line break inside. */
  nowrap?: boolean
  /** Breaks long words. */
  breakWords?: boolean
  /** Space at the left. */
  indent?: number
  wide?: TextSizes & { indent?: number }
}

/** Formatting of a piece of text. `link`: http, https, mailto or tel. Merge grammar. */
export interface Marks {
  b?: boolean
  i?: boolean
  /** Underlined; links are, unless it is false. */
  u?: boolean
  s?: boolean
  link?: string
  colour?: Colour
  size?: number
  lineHeight?: number
  font?: FontName
  /** A large first letter with the text around it. */
  dropCap?: boolean
}

/** A piece of text, a merge variable with its default, or a line break. */
export type Inline =
  | { text: string; marks?: Marks }
  | { variable: string; fallback: string; marks?: Marks }
  | { break: true }

export type Paragraph =
  | { type: 'paragraph'; content: Inline[]; style?: TextStyle }
  | ({ type: 'list'; style?: TextStyle } & List)

export interface List {
  ordered: boolean
  items: { content: Inline[]; list?: List }[]
}

/** A link of a menu or a social network. Merge grammar in both. */
export interface MenuLink {
  label: string
  href: string
}

interface BlockBase extends Box {
  /** Unique in the design. */
  id: string
}

export interface HeadingBlock extends BlockBase {
  type: 'heading'
  level: 1 | 2 | 3
  content: Inline[]
  style?: TextStyle
}
export interface TextBlock extends BlockBase {
  type: 'text' | 'footer'
  content: Paragraph[]
  style?: TextStyle
}
export interface ButtonBlock extends BlockBase {
  type: 'button'
  /** Merge grammar. */
  label: string
  href: string
  fill?: Colour
  colour?: Colour
  align?: Align
  corners?: number
  /** Space around the label; default 15 26 15 26. */
  inset?: Sides
  size?: number
  weight?: 400 | 700
  fullWidth?: boolean
}
export interface ImageBlock extends BlockBase {
  type: 'image'
  /** http or https, or a variable. */
  src: string
  alt: string
  /** Shown width; default the column's. */
  width?: number
  href?: string
  align?: Align
}
export interface DividerBlock extends BlockBase {
  type: 'divider'
  line: Omit<Border, 'sides'>
  /** Percent of the column; default 100. */
  share?: number
}
export interface SpacerBlock extends BlockBase {
  type: 'spacer'
  height: number
}
export interface MenuBlock extends BlockBase {
  type: 'menu' | 'social'
  links: MenuLink[]
  style?: TextStyle
}
export interface TableBlock extends BlockBase {
  type: 'table'
  /** Width of the table in px or percent of its column, or that of its content; default all of the column. */
  width?: Length | 'content'
  align?: Align
  rows: { cells: Cell[]; /** Only an ornament: screen readers skip it. */ decorative?: boolean }[]
}
export interface ProductBlock extends BlockBase {
  type: 'product'
  image?: { src: string; alt: string }
  name: string
  description: string
  price: string
  button?: MenuLink
}
export interface HtmlBlock extends BlockBase {
  type: 'html'
  html: string
  /** Its name in the list view. */
  name?: string
}

export type Length = { px: number } | { percent: number }

export interface Cell extends Box {
  blocks: Block[]
  /** Columns of the table that the cell takes; default 1. */
  span?: number
  width?: Length
  height?: number
  align?: Align
  valign?: VerticalAlign
  /** A picture behind the blocks: http or https, or a variable. Merge grammar. */
  image?: string
  /** A table's header. */
  header?: boolean
}

export type Block =
  | HeadingBlock
  | TextBlock
  | ButtonBlock
  | ImageBlock
  | DividerBlock
  | SpacerBlock
  | MenuBlock
  | TableBlock
  | ProductBlock
  | HtmlBlock

/** Where a document breaks a rule, and what the rule is. `path` leads from the design to the value. */
export interface DesignFault {
  path: (string | number)[]
  reason: string
}
