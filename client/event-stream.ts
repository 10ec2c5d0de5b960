/** What stands in each event of an answer of server-sent events (WHATWG HTML §9.2), as it comes. */
export async function* readEvents<T>(events: AsyncIterable<string>): AsyncGenerator<T> {
  let text = ''
  for await (const chunk of events) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text
        .slice(0, end)
        .split('\n')
        .find((line) => line.startsWith('data: '))
      text = text.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as T
    }
  }
}
