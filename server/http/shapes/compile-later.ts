/** A function that is compiled at its first call: compiling the shapes of all calls takes longer than the rest of a start. */
export function compileLater<Given, Result>(compile: () => (given: Given) => Result): (given: Given) => Result {
  let compiled: ((given: Given) => Result) | undefined
  return (given) => {
    compiled ??= compile()
    return compiled(given)
  }
}
