/** Hooks whose callback may return only a cleanup: React calls any other value, even `false`. */
const effects = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect'])

/** `ts.TypeFlags.Undefined`; the number avoids an import of the whole compiler. */
const undefinedFlag = 4

/**
 * Rejects an effect that returns a value other than a function. That includes a call of type `void`: TypeScript assigns
 * any function to `() => void`, so the call may return a value.
 * @type {import('eslint').Rule.RuleModule}
 */
export const effectCleanup = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      noCleanup:
        'An effect returns its cleanup function or nothing. Give it a body in braces, or write `void` before it.',
    },
  },
  create(context) {
    const { sourceCode } = context
    const services = sourceCode.parserServices
    const isCleanup = (type) =>
      (type.isUnion() ? type.types : [type]).every(
        (part) => (part.flags & undefinedFlag) !== 0 || part.getCallSignatures().length > 0,
      )
    const check = (node) => {
      if (!isCleanup(services.getTypeAtLocation(node))) context.report({ node, messageId: 'noCleanup' })
    }
    const isEffect = ({ parent }, node) =>
      parent.type === 'CallExpression' &&
      parent.arguments[0] === node &&
      effects.has((parent.callee.property ?? parent.callee).name)
    return {
      ArrowFunctionExpression(node) {
        if (node.body.type !== 'BlockStatement' && isEffect(node, node)) check(node.body)
      },
      ReturnStatement(node) {
        let holder = node.parent
        while (holder && !/Function/.test(holder.type)) holder = holder.parent
        if (holder && node.argument && isEffect(holder, holder)) check(node.argument)
      },
      Identifier(node) {
        if (!isEffect(node, node)) return
        const returned = services.getTypeAtLocation(node).getCallSignatures()
        if (!returned.every((signature) => isCleanup(signature.getReturnType())))
          context.report({ node, messageId: 'noCleanup' })
      },
    }
  },
}
