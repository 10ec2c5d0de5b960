import type { Operation } from '../../contract/core/operation.ts'
import { callRaw, errorOf, type Call, type CallOptions, type Session } from './http.ts'

/** Makes a call whose answer is no JSON, and gives its text as it comes. Throws ApiError. */
export async function* callStream<O extends Operation>(
  session: Session,
  call: Call<O>,
  options?: CallOptions,
): AsyncGenerator<string> {
  const answer = await callRaw(session, call, options)
  if (!answer.ok) throw await errorOf(answer, call.route)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined) // The server may have ended it.
  }
}

/** Data of each event of a server-sent event stream (WHATWG HTML §9.2), as it arrives. */
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
