/** Gives the items of a source, and reads the next one while one is worked on. Ends the source when the caller stops. */
export async function* readAhead<Item>(source: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = source.next()
  try {
    for (;;) {
      const read = await next
      if (read.done === true) return
      next = source.next()
      // An error is thrown at the next turn, not before.
      next.catch(() => undefined)
      yield read.value
    }
  } finally {
    await source.return(undefined)
  }
}
