// Replaces `react-dom/server` and `prop-types`, which react-shadow imports and which are never executed here (aliases.ts).
const nothing = () => null

export const renderToString = nothing

// oxlint-disable-next-line sendwright/exports -- the module it replaces has a default export
export default {
  bool: null,
  node: null,
  object: nothing,
  string: null,
  arrayOf: nothing,
  instanceOf: nothing,
  oneOf: nothing,
  oneOfType: nothing,
}
