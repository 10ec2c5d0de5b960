import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
/** What draws and speaks in an embed. */
const rooms = ['widgets', 'loader']
/** Attributes, properties and parameters whose text is shown or read out. */
const shown = /^(aria-label|placeholder|title|label|text|hint|legend|detail|said|what|word|name)$/

/** A text of our own as it stands in the source, `{}` for what is put in, and where. */
export interface OwnWord {
  text: string
  /** The sentence that it is a piece of, where that stands in one element. */
  whole: string
  file: string
}

/**
 * Every text that the widgets show in an embed, read from their source: what stands between tags, what is shown by an
 * attribute or a property of that sense, sentences of `*-messages.ts`, and what is chosen between in braces.
 */
export async function ownWords(): Promise<OwnWord[]> {
  const words: OwnWord[] = []
  for (const room of rooms) {
    for (const name of await readdir(join(root, room), { recursive: true })) {
      if (!/\.tsx?$/.test(name) || /\.test\.|words|\.d\.ts$/.test(name)) continue
      const file = `${room}/${name}`
      const source = ts.createSourceFile(file, await readFile(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
      const isAllShown = file.endsWith('-messages.ts')
      for (const found of textsIn(source, isAllShown)) if (isSpoken(found)) words.push({ ...found, file })
    }
  }
  return words
}

interface Found {
  text: string
  whole: string
  /** Between tags, where a single small word is no code. */
  isBetweenTags: boolean
}

/** Something with a word in it; code, addresses and names of classes are none. */
function isSpoken({ text, isBetweenTags }: Found): boolean {
  const isCode = /^https?:|^#|^\.\/|^sendwright:/.test(text) || (!isBetweenTags && /^[a-z-]+$/.test(text))
  return /\p{L}{2}/u.test(text.replaceAll('{}', '')) && !isCode
}

function textsIn(source: ts.SourceFile, isAllShown: boolean): Found[] {
  const found: Found[] = []
  const add = (node: ts.Node, parent: ts.Node | null = null): void => {
    const text = literalOf(node)
    if (text !== null) found.push({ text, whole: parent ? sentenceOf(parent) : text, isBetweenTags: parent !== null })
    else if (ts.isConditionalExpression(node)) for (const one of [node.whenTrue, node.whenFalse]) add(one, parent)
    else if (ts.isBinaryExpression(node)) add(node.right, parent)
    else if (ts.isParenthesizedExpression(node)) add(node.expression, parent)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) {
      if (textOf(node) !== '') add(node, node.parent)
    } else if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) {
      add(node.expression, node.parent)
    } else if (ts.isJsxAttribute(node) && shown.test(node.name.getText())) {
      const { initializer } = node
      const value = initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer
      if (value) add(value)
    } else if (ts.isPropertyAssignment(node) && shown.test(node.name.getText())) add(node.initializer)
    else if (isAllShown && (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.initializer) {
      add(ts.isArrowFunction(node.initializer) ? node.initializer.body : node.initializer)
    } else if (ts.isNewExpression(node) && node.arguments?.[0]) add(node.arguments[0])
    else if (ts.isCallExpression(node) && node.expression.getText() === 'sweep' && node.arguments[1])
      add(node.arguments[1])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function literalOf(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return textOf(node).trim()
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text.trim()
  if (!ts.isTemplateExpression(node)) return null
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}').trim()
}

/** As the renderer draws it: lines are joined, blanks at a line's ends are gone. */
function textOf(node: ts.JsxText): string {
  if (!node.text.includes('\n')) return node.text
  return node.text
    .split('\n')
    .map((line, at, lines) => (at === 0 ? line.trimEnd() : at === lines.length - 1 ? line.trimStart() : line.trim()))
    .filter((line) => line !== '')
    .join(' ')
}

/** All that stands in an element of texts alone. */
function sentenceOf(parent: ts.Node): string {
  if (!ts.isJsxElement(parent) && !ts.isJsxFragment(parent)) return ''
  const pieces = parent.children.map((child) => {
    if (ts.isJsxText(child)) return textOf(child)
    if (!ts.isJsxExpression(child)) return null
    return child.expression && ts.isStringLiteral(child.expression) ? child.expression.text : '{}'
  })
  return pieces.includes(null) ? '' : pieces.join('').trim()
}
