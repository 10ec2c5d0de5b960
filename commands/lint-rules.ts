// Rules of this project for oxlint. They see the syntax tree only, without types.

interface Node {
  type: string
  name?: string
  arguments?: Node[]
  callee?: Node & { property?: Node }
  body?: Node
  operator?: string
}

interface Context {
  report: (finding: { node: Node; message: string }) => void
}

/** A rule that reports every node that one of its selectors finds. */
function refuse(selectors: Readonly<Record<string, string>>) {
  return {
    create: ({ report }: Context) =>
      Object.fromEntries(
        Object.entries(selectors).map(([selector, message]) => [selector, (node: Node) => report({ node, message })]),
      ),
  }
}

const moduleLevel = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration'
const stateMessage =
  'No state in modules: make it in server/main.ts or in a component, and pass it in. A cache says so where it is allowed.'

/** Hooks whose callback may return only a cleanup: React calls any other value, even `false`. */
const effects = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect'])

/** A block, whose `return` is checked by types, or the cleanup itself. */
const effectBodies = new Set(['BlockStatement', 'ArrowFunctionExpression', 'FunctionExpression'])

export default {
  meta: { name: 'sendwright' },
  rules: {
    exports: refuse({
      ExportAllDeclaration: 'No barrels: import from the file that has it.',
      ExportDefaultDeclaration: 'Named exports only.',
      TSEnumDeclaration: 'Use a union of string literals.',
    }),
    scope: refuse({
      ':matches(TSAsExpression, TSTypeAssertion) > TSTypeReference[typeName.name=/^(System)?Scope$/]':
        'Only authorize() constructs a Scope (server/domain/auth/authorize.ts).',
    }),
    /** A variable of a module that changes, or a collection that begins empty. */
    'module-state': refuse({
      [`${moduleLevel}[kind=let]`]: stateMessage,
      [`${moduleLevel} > VariableDeclarator` +
      ':not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/])' +
      ':not([id.typeAnnotation.typeAnnotation.operator=readonly])' +
      ' > :matches(NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0],' +
      ' ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])']: stateMessage,
    }),
    /**
     * An effect whose function is no literal, or returns a call without saying so. TypeScript assigns any function to
     * `() => void`, so what it returns is not known; the rule of void expressions sees it only after `return`.
     */
    'effect-cleanup': {
      create: ({ report }: Context) => ({
        CallExpression(node: Node) {
          const name = node.callee?.property?.name ?? node.callee?.name ?? ''
          const [callback] = node.arguments ?? []
          if (!effects.has(name) || callback === undefined) return
          if (!callback.type.endsWith('FunctionExpression'))
            report({ node: callback, message: 'Write the function of an effect in place: `() => { … }`.' })
          else if (!effectBodies.has(callback.body?.type ?? '') && callback.body?.operator !== 'void')
            report({
              node: callback,
              message:
                'An effect returns its cleanup function or nothing. Give it a body in braces, or write `void` before it.',
            })
        },
      }),
    },
  },
}
