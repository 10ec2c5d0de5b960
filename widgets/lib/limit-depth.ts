/** Elements in each other, such as of tables, that are shown as they are. */
const depthMaxCount = 100

/** Leaves the words alone of what is nested deeper: a browser that lays out thousands of nested tables ends the page. */
export function limitDepth(root: ParentNode): void {
  let level: readonly ParentNode[] = [root]
  for (let depth = depthMaxCount; depth--;) level = level.flatMap(({ children }) => [...children])
  for (const element of level) element.textContent = `${element.textContent}`
}
