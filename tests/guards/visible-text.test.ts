import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Attributes and properties of components whose value is visible or announced. */
const visibleAttribute =
  /^(aria-(label|description|roledescription|valuetext)|title|alt|placeholder|label|text|hint|help|note|heading|legend|summary|message|act|confirm|cancel|question|caption|what)$/
/** Elements of code: their text is the same in every language. */
const codeElements = new Set(['code', 'pre'])
/** Addresses, replies of a mail server, keys of the keyboard and names of formats. */
const sameInEveryLanguage = /^([^\s@/]*[@/]\S+|\d{3} OK|Ctrl \w|HTML|first_name|\{\{\w+\}\})$/

/** Texts in the JSX of a file that a person reads and `t` does not translate. */
function literalTexts(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const add = (node: ts.Node, text: string) => {
    const shown = text.trim().replaceAll(/\s+/g, ' ')
    if (!/\p{L}{2}/u.test(shown) || sameInEveryLanguage.test(shown)) return
    found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${shown}`)
  }
  /** Texts that an expression can have as its value; the arguments of a call are for the call to translate. */
  const addTexts = (node: ts.Node): void => {
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(addTexts)
    else if (ts.isParenthesizedExpression(node)) addTexts(node.expression)
    else if (ts.isBinaryExpression(node)) [node.left, node.right].filter(() => isChoice(node)).forEach(addTexts)
    else if (ts.isStringLiteralLike(node)) add(node, node.text)
    else if (ts.isTemplateExpression(node))
      add(node, node.head.text + node.templateSpans.map(({ literal }) => literal.text).join(' '))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && codeElements.has(node.openingElement.tagName.getText())) {
      visit(node.openingElement)
      return
    }
    if (ts.isJsxText(node)) add(node, node.text)
    if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) addTexts(node.expression)
    if (ts.isJsxAttribute(node) && node.initializer && visibleAttribute.test(node.name.getText())) {
      if (ts.isJsxExpression(node.initializer)) node.initializer.forEachChild(addTexts)
      else addTexts(node.initializer)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const isChoice = ({ operatorToken: { kind } }: ts.BinaryExpression) =>
  [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(kind)

describe('texts of the screens', () => {
  it('are translated by t: no view has a literal text', () => {
    const files = globSync('{dashboard,widgets,loader}/**/*.tsx', { cwd: root, exclude: ['**/*.test.tsx'] })
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap((file) => literalTexts(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it('a literal is found in an element, in an attribute and in a choice, and not in code', () => {
    const code = `<div title="A title" className="panel">
      A text {isOpen ? 'Close it' : t('Open')} {name || \`Nobody of \${team}\`} <code>GET /api</code>
      <Row label={isNew ? 'New row' : t('Row')} value="new" kind={a === 'two words'} />
    </div>`
    expect(literalTexts('a.tsx', code)).toEqual([
      'a.tsx:1 A title',
      'a.tsx:2 A text',
      'a.tsx:2 Close it',
      'a.tsx:2 Nobody of',
      'a.tsx:3 New row',
    ])
  })
})
